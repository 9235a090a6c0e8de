export const references = {
  title: 'Raster by address',
  lead: 'The file stays on its server. It must be a Cloud-Optimized GeoTIFF on a server that the operator of this service allows.',
  address: 'Address',
  addressHint: 'https://…/name.tif',
  add: 'Register',
  place: 'On another server',
  states: {
    unchanged: 'unchanged',
    changed: 'changed',
    unreachable: 'not readable',
  },
  state: 'State',
  looked: 'Last look',
  meaning: 'Each part that is read is compared with the file that was registered.',
  copy: 'Copy it here',
  copying: 'The file is being copied.',
  copyHint: 'Afterwards the dataset no longer depends on the other server, and runs with it can be adopted.',
};
