/** Section 2.1 of the interface, and what section 2 says of its words. */
export const rows = {
  '2 uuid': 'uuid: a UUID as text',
  '2 date': 'date: a calendar date YYYY-MM-DD',
  '2 date-time': 'date-time: an RFC 3339 timestamp',
  '2.1 Category.id': 'id: uuid, always there',
  '2.1 Category.parent_id': 'parent_id: uuid or null, the parent category',
  '2.1 Category.code':
    'code: text, a slug of lower-case latin letters, digits and single dashes between them',
  '2.1 Category.name': 'name: text, always there',
  '2.1 Category.description': 'description: text, always there',
  '2.1 Category.created_at': 'created_at: date-time, always there',
  '2.1 Category.updated_at': 'updated_at: date-time, always there',
  '2.1 CategoryInput.code': 'code: required, at most 255 characters, of the slug pattern',
  '2.1 CategoryInput.name': 'name: required, at most 255 characters',
  '2.1 CategoryInput.description': 'description: optional, at most 2000 characters',
  '2.1 CategoryInput.parent_id': 'parent_id: uuid or null, optional',
};
