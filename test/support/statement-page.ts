import { readFileSync } from 'node:fs';
import { statementText } from './statement-text.ts';

/**
 * A statement as its file should have it, under the header that the file begins with: what a document
 * that comes back proves. Write the header before the test writes the statement.
 *
 * @throws Error where the file is missing, or has no header
 */
export function statementPage(file: string, parts: object): string {
  const [first = ''] = Object.keys(parts);
  const [header = '', ...statement] = readFileSync(file, 'utf8').split(`\n\n${first}: `);
  if (statement.length === 0 || header.trim() === '')
    throw new Error(`${file} has no header above ${first}`);
  const fields = Object.entries(parts).map(([name, value]) => `${name}: ${statementText(value)}\n`);
  return `${header}\n\n${fields.join('\n')}`;
}
