import { describe, expect, it } from 'vitest';
import { mongodEnvironment, RSEQ_OF_GLIBC } from '../../../infra/local/mongod-environment.ts';

describe('a mongod that is started', () => {
  // prettier-ignore
  it.each([
    { platform: 'linux',  release: '6.18.7-200.fc43.x86_64',  needs: {},            why: 'the last kernel without the change' },
    { platform: 'linux',  release: '6.19.14-200.fc43.x86_64', needs: RSEQ_OF_GLIBC, why: 'Fedora 43' },
    { platform: 'linux',  release: '7.0.0-14-generic',        needs: RSEQ_OF_GLIBC, why: 'Ubuntu 26.04' },
    { platform: 'linux',  release: '5.15.0',                  needs: {},            why: 'an old one' },
    { platform: 'linux',  release: 'unknown',                 needs: {},            why: 'nobody can tell' },
    { platform: 'darwin', release: '25.1.0',                  needs: {},            why: 'no Linux' },
  ])('on $platform $release leaves restartable sequences to glibc where it has to: $why', ({ platform, release, needs }) => {
    expect(mongodEnvironment(platform, release)).toEqual(needs);
  });
});
