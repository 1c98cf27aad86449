/** The trouble with a file, by the code of Node's error. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EACCES', 'this user may not'],
  ['EPERM', 'this user may not'],
  ['EROFS', 'the disk can only be read'],
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'this user has no space left on the disk'],
  ['EFBIG', 'the file would be too large'],
]);

/** Says in a few words why a file could not be read or written. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return REASONS.get(code) ?? (error instanceof Error ? error.message : 'unknown');
}
