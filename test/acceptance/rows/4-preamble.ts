/** Promises of section 4 of the interface for all endpoints. */
export const rows = {
  '4 {id}': 'every {id} in a path is a uuid; a malformed one is 400',
  '4 query': 'a malformed query parameter is 400',
  '4 nosniff': 'every answer carries X-Content-Type-Options: nosniff',
};
