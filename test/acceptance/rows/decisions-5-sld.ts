/** Section 5 of the decisions: SLD. */
export const rows = {
  'D5 root': 'Well-formed XML, root StyledLayerDescriptor with any prefix, SLD 1.0.0 and 1.1.0',
  'D5 encodings': 'UTF-8, UTF-16 or any declared encoding that the platform decodes',
  'D5 size': 'Up to 5 MiB',
  'D5 DOCTYPE': 'No DOCTYPE',
  'D5 prefixes': 'Undeclared prefixes inside are forgiven',
  'D5 refused': 'Else 422 on file, saying which root was found',
  'D5 verbatim': 'Bytes are stored and returned verbatim as application/xml',
  'D5 sandbox': 'With a Content-Security-Policy: sandbox',
};
