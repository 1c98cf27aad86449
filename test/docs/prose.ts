import type { Root, Sentence } from 'nlcst';
import { toString } from 'nlcst-to-string';
import { ParseEnglish } from 'parse-english';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';

import retextPassive from 'retext-passive';
import retextReadability from 'retext-readability';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';

/** A sentence that a reader must read twice, and why. */
export type HardSentence = { readonly why: string; readonly sentence: string };

/** A second idea is a second sentence. */
const WORDS_MAX = 25;
/** One passive verb reads well; a chain of them hides who acts. */
const PASSIVES_MAX = 2;
/** Hard is a sentence that five of seven formulas find too hard for this age. They know no private words. */
const READER = { age: 14, threshold: 5 / 7, minWords: 10 };

/** Headings, tables and code have no sentences; code within a sentence is one word. */
const reader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRetext, ParseEnglish, { ignore: ['heading'] })
  .use(retextReadability, READER)
  .use(retextPassive)
  .use(() => boundSentences);

function boundSentences(tree: Root, file: VFile): void {
  visit(tree, 'SentenceNode', (sentence) => {
    const words = longestOf(sentence);
    if (words > WORDS_MAX) file.message(`${words} words`, { ancestors: [sentence] });
    const passives = file.messages.filter(
      ({ source, ancestors }) => source === 'retext-passive' && ancestors?.includes(sentence),
    );
    if (passives.length > PASSIVES_MAX)
      file.message(`${passives.length} passive verbs`, { ancestors: [sentence] });
  });
  file.messages = file.messages.filter(({ source }) => source !== 'retext-passive');
}

/** Counts words, code as one. Two sentences are taken for one where the second begins with code. */
function longestOf(sentence: Sentence): number {
  let longest = 0;
  let words = 0;
  visit(sentence, (node) => {
    if (node.type === 'WordNode' || node.type === 'SourceNode') words += 1;
    if (node.type === 'PunctuationNode' && /^[.?!]/.test(node.value)) words = 0;
    longest = Math.max(longest, words);
  });
  return longest;
}

/** Finds the hard sentences of a page of markdown, or of plain text. */
export async function hardSentencesOf(text: string): Promise<readonly HardSentence[]> {
  const file = new VFile(text);
  await reader.run(reader.parse(file), file);
  return file.messages.map(({ reason, ancestors }) => ({
    why: reason,
    sentence: toString((ancestors?.at(-1) ?? []) as Root).replaceAll(/\s+/g, ' '),
  }));
}
