/** Promises of the decisions about themselves. */
export const rows = {
  'D0 described': 'what was open is decided and written into the OpenAPI description',
  'D0 interface wins': 'the interface is the contract wherever it speaks',
  'D0 extras': 'extras never change a body of the interface; nobody has to send them',
};
