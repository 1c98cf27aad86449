/** Something a newcomer can put right: printed as its one sentence, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
