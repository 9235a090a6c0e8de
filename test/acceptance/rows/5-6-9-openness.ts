/** Sections 5, 6 and 9 of the interface. */
export const rows = {
  '5 authentication': 'No scheme, credential, header or role is stated: calls work without credentials',
  '6 polling': 'Clients follow progress by polling the dataset status endpoint and the run endpoint',
  '9 version': 'The interface description carries version 1.0.0',
  '9 paths': 'Paths carry no version segment',
};
