import { type DocumentsQuery, documentsAddress } from "../documents/address";

export const MEMO_STATUSES = ["open", "applied"] as const;

export type MemoStatus = (typeof MEMO_STATUSES)[number];
export type MemosQuery = DocumentsQuery<MemoStatus>;

export const memosAddress = documentsAddress(MEMO_STATUSES);
export type MemosAddress = ReturnType<typeof memosAddress>;
