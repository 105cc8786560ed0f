import { tierRank, type TierProbabilities } from "../../src/routing/contract/tier.ts";
import { chooseTier } from "../../src/routing/score/choose-tier.ts";
import { readRecords } from "./data.ts";
import { samplesOf, seedSamples, trainingSet, type Sample } from "./examples.ts";
import { fit } from "./fit.ts";
import { gainFigures } from "./gain-figures.ts";
import { groupOf, makersOf, imitationsOf } from "./makers.ts";
import { groupedBy, meanOf } from "./statistics.ts";
import { cellsOf, gainLogit, tierCount, tierProbabilities, type FittedTables } from "./tables.ts";
import { tierFigures, type Prediction } from "./tier-figures.ts";
const samples = samplesOf(readRecords(process.argv[2]!));
const modes=(process.argv[3]??"seeds,noseeds").split(",");
const seeds = seedSamples();
for (const mode of modes) {
 const all: Record<string, Prediction[]> = {};
 for (const [g, judged] of groupedBy(samples, s=>groupOf(s.record))) {
  const makers = new Set(judged.flatMap(s=>makersOf(s.record)));
  const im = new Set(judged.flatMap(s=>imitationsOf(s.record)));
  const others = samples.filter(s=>!makersOf(s.record).some(m=>makers.has(m)));
  const sd = mode==="seeds"?seeds:seeds.filter(s=>!im.has(s.record.source));
  const t = fit(trainingSet(others, sd));
  all[g]=judged.map(s=>pred(s,t));
 }
 console.log("==",mode);
 for (const q of ["eco","balanced","quality"] as const) {
  const rows = Object.entries(all).map(([g,ps])=>[g,tierFigures(ps.map(p=>({...p,rank:tierRank(chooseTier(p.probabilities,q).tier)})))] as const).filter(x=>x[1].n>0);
  const pooled=tierFigures(Object.values(all).flat().map(p=>({...p,rank:tierRank(chooseTier(p.probabilities,q).tier)})));
  console.log(q,"pooled under",f(pooled.under),"over",f(pooled.over),"F1",f(pooled.macroF1),"sev",f(pooled.severe),"cost",f(pooled.costVsOracle),"| mean under",f(meanOf(rows,r=>r[1].under)),"over",f(meanOf(rows,r=>r[1].over)),"sev",f(meanOf(rows,r=>r[1].severe)),"acc",f(meanOf(rows,r=>r[1].accuracy)));
  if(q==="balanced") for(const [g,x] of rows) console.log("   ",g.padEnd(14),x.n,"under",f(x.under),"over",f(x.over),"F1",f(x.macroF1),"sev",f(x.severe),"cost",f(x.costVsOracle));
  if(q==="balanced") for(const [g,ps] of groupedBy(Object.values(all).flat(),p=>p.record.tier&&p.record.source)) {const x=tierFigures(ps);console.log("      ",g.padEnd(16),x.n,"under",f(x.under),"over",f(x.over))}
 }
 for (const [g,ps] of Object.entries(all)) {const w=ps.filter(p=>p.record.pair);if(w.length) console.log("APGR",g,f(gainFigures(w).apgr),[...groupedBy(w,p=>p.record.source)].map(([s,x])=>s+" "+f(gainFigures(x).apgr)).join(" "))}
}
function f(x:number){return x.toFixed(3)}
function pred({ record, example }: Sample, tables: FittedTables): Prediction {
  const cells = cellsOf(example.bins);
  const p = new Float64Array(tierCount);
  tierProbabilities(cells, tables, p);
  const probabilities: TierProbabilities = [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0, p[3] ?? 0];
  return { record, probabilities, rank: tierRank(chooseTier(probabilities, "balanced").tier), score: gainLogit(cells, tables) };
}
