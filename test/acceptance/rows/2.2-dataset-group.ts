/** Section 2.2 of the interface. */
export const rows = {
  '2.2 DatasetGroup.id': 'id: uuid, required',
  '2.2 DatasetGroup.code': 'code: required, a slug as for categories',
  '2.2 DatasetGroup.name': 'name: required',
  '2.2 DatasetGroup.description': 'description: required',
  '2.2 DatasetGroup.sld_storage_key':
    "sld_storage_key: key of the group's shared SLD once one is uploaded, else null",
  '2.2 DatasetGroup.sld_filename': 'sld_filename: text or null',
  '2.2 DatasetGroup.sld_content_type': 'sld_content_type: text or null',
  '2.2 DatasetGroup.created_at': 'created_at: date-time, required',
  '2.2 DatasetGroup.updated_at': 'updated_at: date-time, required',
  '2.2 DatasetGroupInput.code': 'code: required, at most 255 characters, same slug pattern',
  '2.2 DatasetGroupInput.name': 'name: required, at most 255 characters',
  '2.2 DatasetGroupInput.description': 'description: optional, at most 2000 characters',
};
