/** Everything that pages do besides showing: each part looks for its own marks and leaves the rest alone. */
import { drawCharts } from "./charts.ts";
import { openDrawers } from "./drawer.ts";
import { watch } from "./live.ts";
import { playground } from "./playground.ts";
import { copyButtons, fileFields, loadParts, searchFields, showPlace } from "./small.ts";
import { sortable } from "./sortable.ts";

showPlace();
copyButtons(document);
fileFields();
searchFields();
loadParts();
sortable();
openDrawers();
watch();
playground();
drawCharts();
