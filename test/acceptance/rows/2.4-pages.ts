/** Section 2.4 of the interface. */
export const rows = {
  '2.4 DatasetSummaryPage': 'a page of datasets: data, page, page_size, total, total_pages, all there',
  '2.4 ObservationPage': 'a page of observations has the same shape',
  '2.4 DatasetGroupPage': 'a page of dataset groups has the same shape',
  '2.4 LandscapeRunPage': 'a page of landscape runs has the same shape',
};
