import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const SETTINGS = join(import.meta.dirname, '..', '.oxfmtrc.json');

/**
 * A page that is made, as the repository is formatted.
 *
 * @param path says by its ending what the text is
 * @throws Error where the text cannot be read as that
 */
export async function formatted(path: string, text: string): Promise<string> {
  const settings = JSON.parse(readFileSync(SETTINGS, 'utf8')) as FormatConfig;
  const { code, errors } = await format(path, text, settings);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} cannot be formatted: ${error.message}`);
  return code;
}
