import { isElsewhere } from '../mongo/elsewhere.ts';

/** The form of a connection string: its hosts, and its options without the question mark. */
const FORM = /^mongodb(\+srv)?:\/\/(?:[^@/?\s]*@)?([^/?\s]+)(?:\/[^?\s]*)?(?:\?(\S*))?$/i;

/** Whether a text may be a connection string. */
export function isConnectionString(text: string): boolean {
  return /^mongodb(\+srv)?:\/\/[^/\s]+/.test(text);
}

/**
 * Whether a connection string leads to another machine without TLS. `mongodb+srv` has TLS unless an option says no.
 * Source: MongoDB manual, "Connection Strings": `tls`, `ssl`, and "SRV Connection Format".
 */
export function isUnencrypted(uri: string): boolean {
  const [, srv, hosts = '', options = ''] = FORM.exec(uri) ?? [];
  const said = [...new URLSearchParams(options)].filter(([name]) => /^(tls|ssl)$/i.test(name));
  const hasTls = said.length === 0 ? srv !== undefined : said.every(([, is]) => is === 'true');
  return !hasTls && hosts.split(',').some(isElsewhere);
}

/** In the error about such a string, what is expected. */
export const ENCRYPTED_EXPECTED =
  'a connection with TLS to another machine: add tls=true, or set MONGODB_TLS=off where the network is yours alone';
