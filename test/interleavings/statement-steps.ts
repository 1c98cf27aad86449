import type { Statements } from '../../lib/document/statements.ts';
import type { Issue } from './moves.ts';

/** A server that does not tell its time: clocks that disagree stay so until a document tells it. */
export const tellsNoTime = (): Promise<undefined> => Promise.resolve(undefined);

export function issuedBy(issue: Issue, statements: Statements): Statements {
  return {
    update: (update) =>
      issue('update', String(update.filter._id), true, () =>
        statements.update(update),
      ) as ReturnType<Statements['update']>, // what the effect gives
    make: (document, pipeline, projection) =>
      issue('make', document, true, () =>
        statements.make(document, pipeline, projection),
      ) as ReturnType<Statements['make']>, // what the effect gives
    find: (documents, projection) =>
      issue('find', documents.join(' '), false, () =>
        statements.find(documents, projection),
      ) as ReturnType<Statements['find']>, // what the effect gives
    now: tellsNoTime,
    pause: statements.pause,
  };
}
