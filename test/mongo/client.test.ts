import { expect, it } from 'vitest';
import { createClient } from '../../lib/mongo/client.ts';

it('a connection string changes nothing of how Headroom reads, writes, waits and repeats', async () => {
  const words = [
    ...['retryWrites=true', 'retryReads=false', 'w=1', 'wtimeoutMS=5'],
    ...['readPreference=secondary', 'readConcernLevel=available', 'socketTimeoutMS=7'],
    ...[
      'connectTimeoutMS=7',
      'serverSelectionTimeoutMS=7',
      'waitQueueTimeoutMS=7',
      'maxPoolSize=3',
    ],
  ];
  const optionsOf = async (uri: string) => {
    const client = createClient(uri, 2_000);
    const { readPreference, writeConcern, readConcern, ...options } = client.options;
    await client.close();
    const { retryWrites, retryReads, socketTimeoutMS, connectTimeoutMS, maxPoolSize } = options;
    const { serverSelectionTimeoutMS, waitQueueTimeoutMS } = options;
    return {
      ...{ retryWrites, retryReads, socketTimeoutMS, connectTimeoutMS, maxPoolSize },
      ...{ serverSelectionTimeoutMS, waitQueueTimeoutMS, writeConcern, readConcern },
      mode: readPreference.mode,
    };
  };
  const asked = await optionsOf(`mongodb://127.0.0.1:1/?${words.join('&')}`);
  expect(asked).toEqual(await optionsOf('mongodb://127.0.0.1:1/'));
  expect(asked).toMatchObject({ retryWrites: false, writeConcern: { w: 'majority' } });
});
