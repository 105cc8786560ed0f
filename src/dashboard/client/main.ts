/** The dashboard's script. Pages work without it; each function looks for its own elements. */
import { sortableChains } from "./sortable-chains.ts";
import { drawCharts } from "./charts.ts";
import { openRequestsInDrawer } from "./drawer.ts";
import { commandPalette } from "./palette.ts";
import { copyButtons, fileInputs, filterInputs, scrollToCurrentPage } from "./enhancements.ts";
import { watchLiveFeed } from "./live-feed.ts";
import { loadParts } from "./page-part.ts";
import { streamPlayground } from "./playground.ts";
import { chooseShell } from "./shell-choice.ts";
import { listenForKeys } from "./shortcuts.ts";

scrollToCurrentPage();
copyButtons(document);
fileInputs();
filterInputs();
loadParts();
chooseShell();
sortableChains();
openRequestsInDrawer();
commandPalette();
listenForKeys(watchLiveFeed());
streamPlayground();
drawCharts();
