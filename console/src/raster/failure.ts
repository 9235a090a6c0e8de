/** The service refused, or the file could not be read; `status` is that of HTTP where there was one. */
export class RasterFailure extends Error {
  readonly status: number | undefined;
  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}
