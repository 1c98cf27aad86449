import { describe, expect, it } from 'vitest';
import { withAbsoluteLinks } from '../../tools/readme-links.ts';
import { pageAt, targetsOf } from '../docs/pages.ts';
import { lexer } from 'marked';

const REPOSITORY = 'someone/headroom';

describe('the README that npm shows', () => {
  it('has absolute links only, as many as before', () => {
    const page = pageAt('README.md');
    const text = withAbsoluteLinks(page.text, REPOSITORY, 'v1.2.3');
    const targets = targetsOf({ ...page, text, tokens: lexer(text) });
    expect(targets.filter((target) => !target.startsWith('https://'))).toEqual([]);
    expect(targets).toHaveLength(targetsOf(page).length);
  });

  // prettier-ignore
  it.each([
    { given: '[a](docs/a.md#b)', made: '[a](https://github.com/someone/headroom/blob/v1/docs/a.md#b)' },
    { given: '![p](docs/p.png)', made: '![p](https://raw.githubusercontent.com/someone/headroom/v1/docs/p.png)' },
    { given: '[a](https://a.org/b)', made: '[a](https://a.org/b)' },
    { given: '[here](#there)', made: '[here](#there)' },
  ])('makes $made of $given', ({ given, made }) => {
    expect(withAbsoluteLinks(given, REPOSITORY, 'v1')).toBe(made);
  });
});
