import { describe, expect, it } from 'vitest';
import { isConnectionString, isUnencrypted } from '../../lib/edge/connection-string.ts';

describe('a connection string without TLS to another machine', () => {
  // prettier-ignore
  it.each([
    { uri: 'mongodb://db.example.com/',                                    is: true,  why: 'TLS is off by default' },
    { uri: 'mongodb://u:p@10.0.0.7:27017/headroom?replicaSet=rs',          is: true,  why: 'a private network is no loopback' },
    { uri: 'mongodb://127.0.0.1,db.example.com/',                          is: true,  why: 'one of its hosts is another machine' },
    { uri: 'mongodb://db.example.com/?tls=false',                          is: true,  why: 'it says so' },
    { uri: 'mongodb+srv://c.example.net/?tls=false',                       is: true,  why: 'it takes away what SRV brings' },
    { uri: 'mongodb://db.example.com/?tls=true&ssl=false',                 is: true,  why: 'options that differ prove nothing' },
    { uri: 'mongodb://127.0.0.1@db.example.com/',                          is: true,  why: 'that is a name, and no host' },
    { uri: 'mongodb://127.0.0.1.example.com/',                             is: true,  why: 'that begins like loopback alone' },
    { uri: 'mongodb://db.example.com?replicaSet=rs',                       is: true,  why: 'options may follow the hosts' },
    { uri: 'mongodb://db.example.com/?tls=true',                           is: false, why: 'it has TLS' },
    { uri: 'mongodb://u:p%40x@a:1,b:2/headroom?retryWrites=false&SSL=true', is: false, why: 'the older name of the same' },
    { uri: 'mongodb+srv://u:p@c.example.net/?w=majority',                  is: false, why: 'SRV brings TLS' },
    { uri: 'mongodb://127.0.0.1:27017/',                                   is: false, why: 'it stays on this machine' },
    { uri: 'mongodb://localhost,127.0.1.1:27018,[::1]:27019/?replicaSet=rs', is: false, why: 'so do all three' },
    { uri: 'mongodb://%2Ftmp%2Fmongodb-27017.sock/headroom',               is: false, why: 'a socket is a file' },
  ])('is $uri: $is, because $why', ({ uri, is }) => {
    expect(isConnectionString(uri)).toBe(true);
    expect(isUnencrypted(uri)).toBe(is);
  });
});
