import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { joinParts } from '../shared/subject.ts';

/** The form of APPS_KEY. */
export const APPS_KEY_EXPECTED =
  '32 random bytes in base64, as `openssl rand -base64 32` makes them';

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12; // the length that GCM is made for (NIST SP 800-38D, section 5.2.1.1)
const TAG_BYTES = 16;

/** A secret is sealed with its name, so that it cannot be put in another's place. */
type SecretName = { readonly appId: string; readonly secretId: string };

/** Reads the key under which secrets are sealed. */
export function readAppsKey(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** A secret as long as the hash that it is the key of, and easily found where it should not be. */
export function makeSecret(): string {
  return `hrs_${randomBytes(32).toString('base64url')}`;
}

/** Encrypts an application's secret: AES-256-GCM, with its own nonce, and the name as associated data. */
export function sealSecret(key: Uint8Array, name: SecretName, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(name));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')}`;
}

/** Decrypts an application's secret; undefined where it was sealed under another key or name, or altered. */
export function openSecret(key: Uint8Array, name: SecretName, sealed: string): string | undefined {
  const [version, content = ''] = sealed.split('.');
  const bytes = Buffer.from(content, 'base64url');
  if (version !== VERSION || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(name));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function associatedData({ appId, secretId }: SecretName): Buffer {
  return Buffer.from(joinParts([appId, secretId]), 'utf8');
}
