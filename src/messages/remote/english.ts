import { conflict, invalid, sentences } from '../base/define.ts';

const instead = 'Download the file, and upload it.';

/** Why a file on another server cannot be read, or is refused. */
export const remoteFaults = sentences('remote', {
  off: 'This service reads no files of other servers: its operator has listed none in REFERENCE_HOSTS.',
  notAnAddress:
    'must be an https address without user name, password and fragment, at most 2000 characters long',
  hostNotListed: (host: string) =>
    `The operator of this service has not listed ${host} in REFERENCE_HOSTS, so nothing is read from it.`,
  privateAddress: (host: string) =>
    `${host} has an address in a private or reserved network, from which this service never reads.`,
  noSuchHost: (host: string) => `The name ${host} has no address.`,
  noAnswer: (host: string) => `${host} did not answer in time.`,
  noConnection: (host: string) => `The connection to ${host} failed.`,
  badCertificate: (host: string) =>
    `The certificate of ${host} is not valid for it, or not from a known issuer.`,
  redirectedAway: (host: string) =>
    `The address redirects to ${host}, which is not an https address of a host in REFERENCE_HOSTS.`,
  tooManyRedirects: (host: string) => `${host} redirects again and again.`,
  denied: (host: string) => `${host} refuses to give the file. ${instead}`,
  missing: (host: string) => `${host} has no file at this address.`,
  otherStatus: (host: string, status: number) => `${host} answered with status ${status}.`,
  noRanges: (host: string) => `${host} does not serve parts of files (ranges). ${instead}`,
  encoded: (host: string) =>
    `${host} sends the file in a content encoding, and its parts cannot be read. ${instead}`,
  noLength: (host: string) => `${host} does not tell the length of the file. ${instead}`,
  otherBytes: (host: string) => `${host} sent other bytes than it announced.`,
  empty: 'The file is empty.',
  tooLarge: (mostGiB: number) => `The file has more than ${mostGiB} GiB.`,
  changed: (host: string) =>
    `The file on ${host} is not the one that was registered any more. Register it again as a new dataset.`,
  wrongName:
    'The name of the file must end with .tif or .tiff; only Cloud-Optimized GeoTIFF can stay on another server.',
  notATiff: 'The file is not a TIFF, although its name says so.',
});

export const referenceProblems = sentences('reference', {
  notCog: invalid(
    () =>
      `The file is not a complete Cloud-Optimized GeoTIFF: its parts cannot be read one by one. ${instead} The service converts it then.`,
  ),
  notAReference: conflict(() => 'the file of the dataset is stored here already'),
  notReady: conflict(() => 'the dataset is not ready; its file can be copied once it is'),
});

export const english = { remote: remoteFaults, reference: referenceProblems };
