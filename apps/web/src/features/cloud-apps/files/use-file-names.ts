import { createContext, use } from 'react';
import { FileNames } from './file-names.ts';

/** Of the app that is open. */
export const FileNamesContext = createContext(new FileNames('auto'));

export function useFileNames(): FileNames {
  return use(FileNamesContext);
}
