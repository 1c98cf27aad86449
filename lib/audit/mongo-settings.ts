import type { Collection, Db } from 'mongodb';
import { ObjectId } from 'mongodb';
import { canonicalText, fullDigestOf } from '../shared/digest.ts';
import { SERVER_NOW } from '../document/update.ts';
import { asking, writing } from '../mongo/client.ts';

/** Settings of the functions by which checks are decided, or rows are written. */
export type DecidingSettings = Readonly<Record<string, string | number | readonly string[]>>;

/** From an instant on, a process decided by these. */
export type SettingsDocument = {
  readonly _id: ObjectId;
  /** The database's. */
  readonly at: Date;
  readonly settings: DecidingSettings;
  /** Of the settings. */
  readonly digest: string;
};

/** Collection with a document for each change of settings; they stay. */
export const AUDIT_SETTINGS = 'audit_settings';

/** The changes of settings of a database. */
export function settingsCollection(db: Db): Collection<SettingsDocument> {
  return db.collection<SettingsDocument>(AUDIT_SETTINGS);
}

/**
 * Gives what notes the settings of this process once, if the newest that are noted are others. Two processes that
 * start at once may both note them. What could not be noted is tried again with the next call.
 */
export function notingSettings(
  db: Db,
  settings: DecidingSettings,
  timeoutMs: number,
): () => Promise<void> {
  const collection = settingsCollection(db);
  const digest = fullDigestOf(canonicalText(settings));
  const read = asking(db, timeoutMs);
  const write = writing(db, timeoutMs, 'as often as it takes');
  let isNoted = false;
  return async () => {
    if (isNoted) return;
    isNoted = true;
    try {
      const newest = await read(() => collection.findOne({}, { sort: { at: -1 } }));
      if (newest?.digest === digest) return;
      const noted = { at: SERVER_NOW, digest, settings: { $literal: settings } };
      const _id = new ObjectId();
      await write((bounded) =>
        collection.updateOne({ _id }, [{ $set: noted }], { upsert: true, ...bounded() }),
      );
    } catch {
      isNoted = false;
    }
  };
}
