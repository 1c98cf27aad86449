export { decodeDocument, readCommand, type Command, type FieldValue } from './command.ts';
export {
  encodeReply,
  FrameReader,
  parseRequest,
  ProtocolError,
  type WireRequest,
} from './wire-protocol.ts';
