import { statementText } from './statement-text.ts';

/** A statement under its header, as its file has it. */
export function statementPage(header: string, parts: object): string {
  const fields = Object.entries(parts).map(([name, value]) => `${name}: ${statementText(value)}\n`);
  return `${header.replaceAll(/^ +/gm, '').trim()}\n\n${fields.join('\n')}`;
}
