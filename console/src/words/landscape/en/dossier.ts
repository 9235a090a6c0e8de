import { pluralsOf } from '../../plural.ts';

const plural = pluralsOf('en');

export const dossier = {
  title: 'Dossier',
  lead: 'One file that shows how this run came to its zoning: for a meeting, a court or an archive.',
  has: [
    'the manifest: run, parameters, versions, and every raster by its digest',
    'hectares by district and region, and the balance of the land',
    'name, note, state and basis, with every change of them',
    'what was found in the uploads, the styles, the signature, and how to verify it all',
  ],
  parts: {
    title: 'Rasters in the file',
    cogs: 'Results',
    inputs: 'Inputs and their original files, which computing again needs',
    size: (files: number, size: string) =>
      `${files} ${plural(files, { one: 'file', other: 'files' })}, ${size}`,
    missing: (names: string) => `Deleted: ${names}`,
  },
  counting: 'The service is counting hectares. This is done once; then the file is ready.',
  download: (size: string) => `Dossier, ${size}`,
  verify:
    'Anyone can verify it on another machine, without this service. It proves reproduction, not truth of inputs:',
  manifest: 'SHA-256 of the manifest',
  manifestFile: 'Manifest, to be signed',
  signature: {
    title: 'Signature',
    lead: 'Download the manifest, sign it with your key as a detached CMS signature, and store the signature here. The service makes no signatures, and does not check trust in who has issued a certificate.',
    none: 'There is no signature.',
    inForce: 'In force',
    replaced: 'Replaced',
    older: 'This signature is over an earlier manifest: a raster of the run was deleted since.',
    subject: 'Signed by',
    issuer: 'Certificate issued by',
    serial: 'Serial number of the certificate',
    signedAt: 'Signed, as stated',
    validTo: 'Certificate valid until',
    checked: 'Checked',
    unknown: 'not stated',
    states: {
      right: 'The digest is that of the manifest, and the key of the certificate has signed it.',
      digestOnly: 'The digest is that of the manifest; the key could not be checked here.',
      notVerified: 'Stored, not verified: the service does not know this algorithm.',
      wrong: 'The signature does not fit the manifest.',
    },
    download: 'Signature',
    choose: 'Store a signature',
    sending: 'The signature is being stored.',
    failed: 'The signature was not stored.',
    tooLarge: 'The file is too large for a signature. Choose a detached signature of up to 256 KiB.',
  },
};
