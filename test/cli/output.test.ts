import { describe, expect, it } from 'vitest';
import { tableText, visible } from '../../cli/output.ts';

describe('what a command prints of what callers said', () => {
  // prettier-ignore
  it.each([
    { text: 'user:u-1',              is: 'user:u-1',                 why: 'most ids' },
    { text: '张三 · Jané',             is: '张三 · Jané',                why: 'any script' },
    { text: 'a\nb\tc',               is: 'a\\u000ab\\u0009c',        why: 'it ends no line' },
    { text: '\u001b[31m\u009b2J',    is: '\\u001b[31m\\u009b2J',     why: 'it rules no terminal' },
    { text: 'a\u202eb\u2066c\u2028', is: 'a\\u202eb\\u2066c\\u2028', why: 'it turns nothing round' },
  ])('is $is: $why', ({ text, is }) => {
    expect(visible(text)).toBe(is);
  });

  it('stays in its cell of a table', () => {
    const table = tableText([{ name: 'who' }, { name: 'what' }], [['a\nb', 'c\u001b[2J']]);
    expect(table).toBe('WHO       WHAT\na\\u000ab  c\\u001b[2J');
  });
});
