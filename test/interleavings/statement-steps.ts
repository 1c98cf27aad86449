import type { Statements } from '../../lib/limits/document/statements.ts';
import type { Documents } from '../support/mingo-store.ts';
import type { Issue } from './moves.ts';

/** No projection: the whole document, as a repeated write is answered. */
const WHOLE = {};

/** A server that does not tell its time: clocks that disagree stay so until a document tells it. */
export const tellsNoTime = (): Promise<undefined> => Promise.resolve(undefined);

export function issuedBy(issue: Issue, documents: Documents, statements: Statements): Statements {
  /**
   * A write; of a repeated one that changed something, the answer is the stored document.
   *
   * Source: mongodb/mongo, write_ops_retryability.cpp: a retried findAndModify is answered with the
   * image that was stored, and SERVER-31242: it is not projected.
   */
  const write = <T extends { readonly projection: object }, Answer>(
    name: string,
    document: string,
    update: T,
    run: (update: T) => Promise<Answer>,
  ): Promise<Answer> =>
    issue(name, document, true, async (isRepeated) => {
      if (!isRepeated) return run(update);
      const before = documents.get(document);
      const image = await run({ ...update, projection: WHOLE });
      return documents.get(document) === before ? run(update) : image;
    }) as Promise<Answer>; // what the effect gives
  return {
    update: (update) => write('update', String(update.filter._id), update, statements.update),
    make: (document, pipeline, projection) =>
      write('make', document, { projection }, (one) =>
        statements.make(document, pipeline, one.projection),
      ),
    find: (documents, projection) =>
      issue('find', documents.join(' '), false, () =>
        statements.find(documents, projection),
      ) as ReturnType<Statements['find']>, // what the effect gives
    now: tellsNoTime,
    pause: statements.pause,
  };
}
