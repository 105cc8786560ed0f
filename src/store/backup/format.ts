/**
 * The file of a backup.
 *
 *     head    48 bytes: "GWBACKUP", version 1, key derivation 1, passes (2 bytes), salt (16), tag of the encryption key
 *             that vouches for it (4), proof of the passphrase (16: the AES-GCM tag of nothing, with the head before it)
 *     chunks  65,536 bytes each, the last one shorter, and 16 of AES-GCM's tag: the nonce is the chunk's number and
 *             whether it is the last, so that what was cut off, swapped, repeated or altered is found before it is used
 *     in it   32 bytes of HMAC by which the deployment that made the file knows it again, then the next part of:
 *     frames  length (4 bytes), then so many bytes of gzip, each a record of `records.ts` as JSON
 *
 * The key is PBKDF2 with HMAC-SHA-256 of the passphrase, in passes of 100,000 rounds. Every frame is compressed by itself,
 * so that neither writing nor reading holds more than one.
 */
import type { ByteReader } from "../../lib/bytes.ts";
import { invalid, type Problem } from "../../core/problem.ts";
import { hex, type Keyring } from "../keyring.ts";
import { sameBytes } from "../keys.ts";
import { anyTime, fileKeyOf, mostPasses, newPasses, type PassTurn } from "./passphrase.ts";

/** Media type of backups. */
export const backupType = "application/octet-stream";

const magic = new TextEncoder().encode("GWBACKUP");
const formatVersion = 1;
const derivation = 1;
const at = { version: 8, derivation: 9, passes: 10, salt: 12, tag: 28, proof: 32 } as const;
const headLength = 48;
const sealTag = 16;
const proofLength = 32;
/** Of a whole chunk, before it is sealed. */
const chunkLength = 65_536;
const partLength = chunkLength - proofLength;
const label = new TextEncoder().encode("gateway backup\n");

/** A file that is none, or that was altered or cut off. */
export function damagedBackup(why: string): Problem {
  return invalid("file", why);
}

/** Seals what it is given, part by part. */
export class BackupSealer {
  readonly head: Uint8Array;
  readonly #key: CryptoKey;
  readonly #check: CryptoKey;
  #number = 0;
  readonly #waiting = new Uint8Array(partLength);
  #length = 0;

  private constructor(head: Uint8Array, key: CryptoKey, check: CryptoKey) {
    this.head = head;
    this.#key = key;
    this.#check = check;
  }

  /** For a file with that passphrase, vouched for by the newest encryption key. */
  static async begin(
    passphrase: string,
    [newest]: Keyring,
    turn: PassTurn = anyTime,
  ): Promise<BackupSealer> {
    const head = new Uint8Array(headLength);
    head.set(magic);
    head[at.version] = formatVersion;
    head[at.derivation] = derivation;
    new DataView(head.buffer).setUint16(at.passes, newPasses);
    crypto.getRandomValues(head.subarray(at.salt, at.tag));
    head.set(tagBytes(newest.tag), at.tag);
    const salt = head.slice(at.salt, at.tag);
    const key = await fileKeyOf(passphrase, { salt, passes: newPasses }, turn);
    head.set(await headProof(key, head), at.proof);
    return new BackupSealer(head, key, newest.check);
  }

  /** The chunks that are full with these bytes. */
  async *add(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length;) {
      if (this.#length === partLength) yield await this.#seal(false);
      const piece = bytes.subarray(from, from + partLength - this.#length);
      this.#waiting.set(piece, this.#length);
      this.#length += piece.length;
      from += piece.length;
    }
  }

  /** The last chunk, which has the mark of the end. */
  async end(): Promise<Uint8Array> {
    return await this.#seal(true);
  }

  async #seal(isLast: boolean): Promise<Uint8Array> {
    const place = { number: this.#number, isLast };
    const part = this.#waiting.subarray(0, this.#length);
    const plain = new Uint8Array(proofLength + part.length);
    const signed = signedText(this.head, place, part);
    plain.set(new Uint8Array(await crypto.subtle.sign("HMAC", this.#check, signed)));
    plain.set(part, proofLength);
    this.#number += 1;
    this.#length = 0;
    const sealing = sealingOf(this.head, place);
    return new Uint8Array(await crypto.subtle.encrypt(sealing, this.#key, plain));
  }
}

/** Opens what was sealed, in the order of the file. */
export class BackupOpener {
  readonly #head: Uint8Array;
  readonly #key: CryptoKey;
  readonly #file: Pieces;
  readonly #check: CryptoKey | undefined;
  #number = 0;
  #ended = false;
  #vouched: boolean;

  private constructor(head: Uint8Array, key: CryptoKey, { file, ring }: OpenedFile) {
    this.#head = head;
    this.#key = key;
    this.#file = file;
    const tag = hex(head.subarray(at.tag, at.proof));
    this.#check = ring?.find((pair) => pair.tag === tag)?.check;
    this.#vouched = this.#check !== undefined;
  }

  /** Reads the head. Throws a 400 that names `file` or `passphrase`. `ring`: whose own files are to be known. */
  static async begin(
    reader: ByteReader,
    { passphrase, ring, turn = anyTime }: { passphrase: string; ring?: Keyring; turn?: PassTurn },
  ): Promise<BackupOpener> {
    const file = new Pieces(reader);
    const head = (await file.take(headLength)).slice();
    const isOurs = magic.every((byte, index) => head[index] === byte);
    if (head.length === 0) throw damagedBackup("is empty");
    if (!isOurs || head.length < headLength) throw damagedBackup("is not a backup file");
    if (head[at.version] !== formatVersion || head[at.derivation] !== derivation)
      throw damagedBackup(
        "was written by a newer version of the gateway; restore it with that version",
      );
    const passes = new DataView(head.buffer).getUint16(at.passes);
    if (passes < 1 || passes > mostPasses) throw damagedBackup("was altered or is damaged");
    const salt = head.slice(at.salt, at.tag);
    const key = await fileKeyOf(passphrase, { salt, passes }, turn);
    if (!sameBytes(await headProof(key, head), head.subarray(at.proof)))
      throw invalid("passphrase", "is wrong for this backup, or the file is damaged");
    return new BackupOpener(head, key, { file, ring });
  }

  /** Whether everything that was read so far was written by a deployment with one of the keyring's encryption keys. */
  get isVouchedFor(): boolean {
    return this.#vouched;
  }

  /** The next part; undefined behind the last one. Throws a 400 where the file was altered or cut off. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined;
    const sealed = await this.#file.take(chunkLength + sealTag);
    this.#ended = await this.#file.isAtEnd();
    const place = { number: this.#number, isLast: this.#ended };
    const plain = await this.#open(sealed, place);
    this.#number += 1;
    const part = plain.subarray(proofLength);
    if (this.#check !== undefined && this.#vouched) {
      const signed = signedText(this.#head, place, part);
      const proof = plain.subarray(0, proofLength);
      this.#vouched = await crypto.subtle.verify("HMAC", this.#check, proof, signed);
    }
    return part;
  }

  async #open(sealed: Uint8Array, place: ChunkPlace): Promise<Uint8Array> {
    try {
      const sealing = sealingOf(this.#head, place);
      const plain = new Uint8Array(await crypto.subtle.decrypt(sealing, this.#key, sealed));
      if (plain.length >= proofLength) return plain;
    } catch {
      // Told below.
    }
    throw damagedBackup("was cut off, altered or damaged: nothing was restored");
  }
}

interface OpenedFile {
  readonly file: Pieces;
  readonly ring: Keyring | undefined;
}

interface ChunkPlace {
  readonly number: number;
  readonly isLast: boolean;
}

/** Bytes of a reader in pieces of the sizes that are asked for. */
class Pieces {
  readonly #reader: ByteReader;
  #waiting: Uint8Array = new Uint8Array(0);
  #ended = false;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** So many bytes; fewer at the end. */
  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    let filled = 0;
    while (filled < length && (await this.#fill())) {
      const piece = this.#waiting.subarray(0, length - filled);
      taken.set(piece, filled);
      filled += piece.length;
      this.#waiting = this.#waiting.subarray(piece.length);
    }
    return taken.subarray(0, filled);
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** False at the end. */
  async #fill(): Promise<boolean> {
    while (this.#waiting.length === 0 && !this.#ended) {
      const next = await this.#reader.read();
      if (next === undefined) this.#ended = true;
      else this.#waiting = next;
    }
    return this.#waiting.length > 0;
  }
}

function tagBytes(tag: string): Uint8Array {
  return Uint8Array.from({ length: 4 }, (_, index) =>
    Number.parseInt(tag.slice(2 * index, 2 * index + 2), 16),
  );
}

/** No chunk has a nonce like this. */
async function headProof(key: CryptoKey, head: Uint8Array): Promise<Uint8Array> {
  const algorithm = {
    name: "AES-GCM",
    iv: new Uint8Array(12).fill(255),
    additionalData: head.slice(0, at.proof),
  };
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new Uint8Array(0)));
}

function sealingOf(head: Uint8Array, { number, isLast }: ChunkPlace) {
  const iv = new Uint8Array(12);
  new DataView(iv.buffer).setUint32(7, number);
  iv[11] = isLast ? 1 : 0;
  return { name: "AES-GCM", iv, additionalData: head };
}

function signedText(
  head: Uint8Array,
  { number, isLast }: ChunkPlace,
  part: Uint8Array,
): Uint8Array {
  const signed = new Uint8Array(label.length + head.length + 5 + part.length);
  signed.set(label);
  signed.set(head, label.length);
  const view = new DataView(signed.buffer);
  view.setUint32(label.length + head.length, number);
  view.setUint8(label.length + head.length + 4, isLast ? 1 : 0);
  signed.set(part, signed.length - part.length);
  return signed;
}
