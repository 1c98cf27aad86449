/** What one call may be told. */
export type CallOptions = {
  /** Once it is aborted the call ends with its reason; whether it took effect is unknown then. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly deadlineMs?: number | undefined;
};
