// Loaded into the framework's process by offline.ts. When the program that started it is gone,
// however it went, the channel between them closes, and the framework must go too.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.on('disconnect', () => process.exit(0));
