/** Goes into every ETag of something drawn: raise it when the same data and style are drawn in another way. */
export const drawingVersion = 3;
