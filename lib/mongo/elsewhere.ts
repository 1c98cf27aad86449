/** This machine, or a socket in its file system. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$|^%2f|\.sock$/i;

/** Whether a host, with its port or without, is another machine. */
export function isElsewhere(host: string): boolean {
  return !LOOPBACK.test(host);
}
