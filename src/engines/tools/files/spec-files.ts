/**
 * The dialect of a file service as a world file says it: which tool does what to files, under which folders, in whose
 * words it refuses.
 *
 * The idea: services on files differ in names and wording, hardly in what they do. So what they do is computed by
 * `run-files.ts`, and each tool is bound to it by the roles of its arguments. Files are rows of the collection `files`
 * with the fields `path`, `content` (missing where nobody saw it) and, for folders, `type: directory`.
 * Not covered: links, permissions, content that is not text.
 */
import { z } from 'zod';

const Argument = z.string().min(1);

/** What tools do to files. */
export const FILE_ACTIONS = [
  'read',
  'read-many',
  'write',
  'append',
  'edit',
  'folder',
  'list',
  'tree',
  'search',
  'move',
  'copy',
  'delete',
  'info',
  'roots',
] as const;

/** How a search tells which files it means. */
export const FILE_FINDERS = ['glob', 'glob-name', 'name', 'path', 'text'] as const;

/** One tool of a file service: what it does, and its arguments by their role. */
export const FileToolSpecSchema = z.strictObject({
  does: z.enum(FILE_ACTIONS).describe('What the tool does.'),
  path: z
    .array(Argument)
    .optional()
    .describe('The arguments that make the path, joined by slashes; of `read-many` the list of paths.'),
  to: Argument.optional().describe('Where a file is moved or copied to.'),
  content: Argument.optional().describe('The text that is written or added.'),
  edits: Argument.optional().describe(
    'The list of replacements; without it the arguments themselves are one.',
  ),
  oldText: Argument.optional().describe('The text that a replacement looks for.'),
  newText: Argument.optional().describe('The text that a replacement puts there.'),
  dryRun: Argument.optional().describe('Where it is true nothing is written.'),
  head: Argument.optional().describe('How many lines from the start are read.'),
  tail: Argument.optional().describe('How many lines from the end are read.'),
  pattern: Argument.optional().describe('What is searched for.'),
  excludes: Argument.optional().describe('Globs of what a search or a tree leaves out.'),
  sortBy: Argument.optional().describe('`size` for the largest first.'),
  finds: z
    .enum(FILE_FINDERS)
    .optional()
    .describe(
      'Of a search: globs on paths or names, parts of names or paths, or text in files. Default: glob.',
    ),
  needsFile: z.boolean().optional().describe('Of a write: the file must be there already.'),
  needsNone: z.boolean().optional().describe('Of a write: there must be no such file yet.'),
});

/** The dialect of a file service. */
export const FilesSpecSchema = z.strictObject({
  roots: z
    .array(z.string())
    .default([])
    .describe('Folders that every path must lie in; none for paths relative to one folder without a name.'),
  parents: z
    .enum(['made', 'needed'])
    .default('made')
    .describe('Whether a write makes the folders that it lacks, or fails.'),
  words: z
    .enum(['plain', 'node', 'python'])
    .default('plain')
    .describe('Whose sentences say that a file is not there and the like.'),
  times: z
    .enum(['js', 'iso'])
    .optional()
    .describe('How what is told of a file writes its times; none: it tells none.'),
  tools: z.record(z.string(), FileToolSpecSchema).describe('Tool name → what it does to files.'),
});

/** One tool of a file service. */
export type FileToolSpec = z.infer<typeof FileToolSpecSchema>;
/** The dialect of a file service. */
export type FilesSpec = z.infer<typeof FilesSpecSchema>;
/** What tools do to files. */
export type FileAction = FileToolSpec['does'];
