import { supportedFeatures } from "./gain-support.ts";
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { readRecords } from "./data.ts";
import { samplesOf, seedSamples, trainingSet } from "./examples.ts";
import { fitGain } from "./fit-gain.ts";
import { gainFigures } from "./gain-figures.ts";
import { groupedBy } from "./statistics.ts";
import { cellsOf, firstCells, gainLogit } from "./tables.ts";
const samples = samplesOf(readRecords(process.argv[2]!)); const seeds=seedSamples();
const ex = trainingSet(samples, seeds);
const t=fitGain(ex,30);
console.log(supportedFeatures(ex,scoreFeatures.map((_,i)=>i)).map(i=>scoreFeatures[i]!.name).join(" "));scoreFeatures.forEach(({name,bins,predictsGain},f)=>{if(predictsGain)console.log(name.padEnd(20),bins.map((b,i)=>b+" "+((t.gain[firstCells[f]!+i]??0)/4).toFixed(3)).join("  "))});
for(const [pair,judged] of groupedBy(samples,s=>s.record.pair)){for(const useSeeds of [true,false]){const tt={...fitGain(trainingSet(samples.filter(s=>s.record.pair!==pair),useSeeds?seeds:[]),30)};
 const ps=judged.map(s=>({record:s.record,rank:0,probabilities:[1,0,0,0] as any,score:gainLogit(cellsOf(s.example.bins),tt)}));
 console.log("leave pair",pair,"seeds",useSeeds,gainFigures(ps).apgr.toFixed(3),[...groupedBy(ps,p=>p.record.source)].map(([s,x])=>s+" "+gainFigures(x).apgr.toFixed(3)).join(" "));}}
