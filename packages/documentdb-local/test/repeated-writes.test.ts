import { Long, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

type Thing = { _id: string; n?: number };

/** This driver numbers nothing by itself: the numbers here are the only ones of its sessions. */
const database = useDatabase({ retryWrites: false });
const things = () => database.db.collection<Thing>('things');

type Send = (command: Document, ahead?: number) => Promise<Document>;

/** A number that no session had. The driver takes a session again that another test ended. */
let newest = 10;

/** Sends commands in one session, under one number, or under one so far ahead of it. */
const inSession = <T>(work: (send: Send) => Promise<T>): Promise<T> => {
  const number = (newest += 10);
  return database.client.withSession((session) =>
    work((command, ahead = 0) =>
      database.db.command({ ...command, txnNumber: Long.fromNumber(number + ahead) }, { session }),
    ),
  );
};

const COMMANDS: readonly { readonly what: string; readonly command: Document }[] = [
  {
    what: 'findAndModify',
    command: {
      findAndModify: 'things',
      query: { _id: 'a' },
      update: { $inc: { n: 1 } },
      upsert: true,
    },
  },
  {
    what: 'update',
    command: {
      update: 'things',
      updates: [{ q: { _id: 'b' }, u: { $inc: { n: 1 } }, upsert: true }],
    },
  },
  { what: 'insert', command: { insert: 'things', documents: [{ _id: 'c', n: 1 }] } },
];

describe('a write that a driver repeats', () => {
  it.each(COMMANDS)('happens once, and its repeat fails: $what', async ({ command }) => {
    await inSession(async (send) => {
      expect(await send(command)).toMatchObject({ ok: 1 });
      await expect(send(command)).rejects.toMatchObject({ code: 217 });
      await expect(send(command)).rejects.toMatchObject({ code: 217 });
    });
  });

  it('happens once where the repeat overtakes it', async () => {
    const command = {
      update: 'things',
      updates: [{ q: { _id: 'd' }, u: { $inc: { n: 1 } }, upsert: true }],
    };
    const ends = await inSession((send) => Promise.allSettled([send(command), send(command)]));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await things().findOne({ _id: 'd' })).toMatchObject({ n: 1 });
  });

  it('is carried out where the first one failed as a whole', async () => {
    await inSession(async (send) => {
      const wrong = { findAndModify: 'things', query: { _id: 'e' }, update: { $wrong: 1 } };
      await expect(send(wrong)).rejects.toThrow();
      const right = {
        findAndModify: 'things',
        query: { _id: 'e' },
        update: { $inc: { n: 1 } },
        upsert: true,
      };
      expect(await send(right)).toMatchObject({ ok: 1 });
    });
  });

  it('is refused where a newer one came first', async () => {
    await inSession(async (send) => {
      await send({ insert: 'things', documents: [{ _id: 'f' }] });
      await expect(send({ insert: 'things', documents: [{ _id: 'g' }] }, -1)).rejects.toMatchObject(
        {
          code: 225,
        },
      );
    });
    expect(await things().findOne({ _id: 'g' })).toBeNull();
  });

  it('under another number is another write', async () => {
    await inSession(async (send) => {
      const command = {
        findAndModify: 'things',
        query: { _id: 'h' },
        update: { $inc: { n: 1 } },
        upsert: true,
      };
      await send(command);
      await send(command, 1);
    });
    expect(await things().findOne({ _id: 'h' })).toMatchObject({ n: 2 });
  });
});
