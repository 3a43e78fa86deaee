import type { Schemas } from "~/shared/api/client";

export type InternalWiring = Schemas["InternalWiring"];
export type ExternalWiring = Schemas["ExternalWiringOut"];
export type Wire = Schemas["Wire"];
export type Category = Schemas["Category"];
export type Folder = Schemas["Folder"];
