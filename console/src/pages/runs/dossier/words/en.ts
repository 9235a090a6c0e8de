import { pluralsOf } from '../../../../words/plural.ts';

const plural = pluralsOf('en');

export const dossier = {
  title: 'Dossier',
  lead: 'One file that documents how this zoning was computed: for a meeting, a court or an archive.',
  has: [
    'the manifest: run, parameters, versions, and the checksum of every raster',
    'hectares by district and region, and the balance of the land',
    'name, note, state and basis, with every change of them',
    'what was found in the uploads, the styles, the signature, and how to verify it all',
  ],
  parts: {
    title: 'Rasters in the file',
    cogs: 'Results',
    inputs: 'Inputs and their original files: needed to recompute the results',
    size: (files: number, size: string) =>
      `${files} ${plural(files, { one: 'file', other: 'files' })}, ${size}`,
    missing: (names: string) => `Deleted: ${names}`,
  },
  counting: 'The service is counting hectares. This is done once; then the file is ready.',
  download: (size: string) => `Dossier, ${size}`,
  verify: {
    file: 'Anyone can verify it on another computer, without this service: that it is complete, and what its signature covers. The results of a file with inputs can also be recomputed:',
    again:
      'Anyone can verify it on another computer, without this service, and recompute the results. This proves that the results can be reproduced, not that the inputs are correct:',
  },
  manifest: 'Checksum of the manifest (SHA-256)',
  inventoryFile: 'Inventory, to be signed',
  signature: {
    title: 'Signature',
    lead: 'Download the inventory, which lists every file of the dossier with its checksum, sign it with your key as a detached CMS signature, and store the signature here. The dossier then keeps what was signed. The service makes no signatures and does not check whether the issuer of a certificate is trusted.',
    none: 'There is no signature.',
    inForce: 'In force',
    notInForce: 'Not in force',
    over: {
      inventory: 'Covers the whole dossier.',
      manifest: 'Covers the run and its rasters, not report, areas, balance and record.',
    },
    older: 'This signature is over an earlier manifest: a raster of the run was deleted since.',
    subject: 'Signed by',
    issuer: 'Certificate issued by',
    serial: 'Serial number of the certificate',
    signedAt: 'Signed, as stated',
    valid: 'Certificate valid',
    checked: 'Checked',
    unknown: 'not stated',
    states: {
      right: 'The checksum is right, and the key of the certificate has signed it.',
      digestOnly: 'The checksum is right; the key could not be checked here.',
      notVerified: 'Stored, not verified: the service does not know this algorithm.',
      wrong: 'The signature does not match the data to be signed.',
    },
    download: 'Signature',
    choose: 'Store a signature',
    sending: 'The signature is being stored.',
    failed: 'The signature was not stored.',
    tooLarge: 'The file is too large for a signature. Choose a detached signature of up to 256 KiB.',
  },
};
