import { defineConfig } from 'vitest/config';

/** Tests that need no database and a second or two: each mistake runs those that reach it. */
export default defineConfig({
  test: {
    include: [
      'test/limits/{cases-in-mingo,conditions,deleted-between,effect,known-terms,overtaken,lapsing,read-then-written,statements}.test.ts',
      'test/model/{limit-model,sent-twice,window-oracle}.test.ts',
      'test/near/{near,statements}.test.ts',
      'test/many/begun-again.test.ts',
      'test/rule/calendar.test.ts',
      'test/plan/compile.test.ts',
      'test/rule-file/rule-list.test.ts',
      'test/rule-book/{generations,rules-answer}.test.ts',
      'test/terms/terms-answer.test.ts',
      'test/four-eyes/four-eyes.test.ts',
    ],
    testTimeout: 60_000,
  },
});
