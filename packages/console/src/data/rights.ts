/** Whether this person may do something, as far as the console knows; the server refuses all the same. */
export function useMay(_right: string): boolean {
  return true;
}
