const picture = new File(['II*\0'], 'map.tif');
export const book = new File(['PK\u0003\u0004'], 'form.xlsx');
/** Fields of a form, from areas that are counted. */
export const formFields = (of: string) => ({
  fields: [{ field: 'S!B2', source: { kind: 'areas', dataset_id: '{mapRaster}', of } }],
});

/**
 * Requests for templates and forms, in the form of `status-requests.ts`.
 * @param fileStatuses makes the requests of a route that sends a file
 */
export function formRequests<Files extends object>(fileStatuses: (of: 'formTemplate') => Files) {
  const files = fileStatuses('formTemplate');
  return {
    'GET /dataset-groups/{id}/templates': { 200: { of: 'styledGroup' } },
    'POST /dataset-groups/{id}/templates': {
      201: { of: 'styledGroup', form: { file: book } },
      400: { of: 'styledGroup', json: {} },
      409: { of: 'fullGroup', form: { file: book } },
      422: { of: 'styledGroup', form: { file: picture } },
    },
    'GET /form-templates/{id}': { 200: { of: 'formTemplate' } },
    'DELETE /form-templates/{id}': { 204: { of: 'doomedTemplate' } },
    'GET /form-templates/{id}/file': { ...files },
    'GET /form-templates/{id}/layout': {
      200: { of: 'formTemplate' },
      202: { of: 'wantedTemplate', query: '?wait=0' },
      422: { of: 'brokenTemplate' },
      429: { of: 'newTemplate' },
    },
    'POST /form-templates/{id}/forms': {
      200: { of: 'formTemplate', json: formFields('area') },
      202: { of: 'formTemplate', json: formFields('no_data'), query: '?wait=0' },
      409: {
        of: 'formTemplate',
        json: { fields: [{ field: 'S!B2', source: { kind: 'areas', dataset_id: '{pendingRaster}' } }] },
      },
      422: { of: 'formTemplate', json: { fields: [] } },
      429: { of: 'formTemplate', json: formFields('outside_raster') },
    },
    'GET /form-templates/{id}/forms/{form}/file': { ...files },
  } as const;
}
