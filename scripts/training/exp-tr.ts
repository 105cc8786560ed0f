import { readFileSync } from "node:fs";
import { tierRank } from "../../src/routing/contract/tier.ts";
import { chooseTier } from "../../src/routing/score/choose-tier.ts";
import { scoreFeatures, featureBins } from "../../src/routing/signals/score-features.ts";
import { signalsOfBody, readRecords } from "./data.ts";
import { samplesOf, seedSamples, trainingSet } from "./examples.ts";
import { fit } from "./fit.ts";
import { cellsOf, tierProbabilities } from "./tables.ts";
const t = fit(trainingSet(samplesOf(readRecords(process.argv[2]!)), seedSamples()));
const reqs = JSON.parse(readFileSync("test/routing/translations.json","utf8"));
const tierOf=(ask:string)=>{const p=new Float64Array(4);tierProbabilities(cellsOf(featureBins(signalsOfBody({messages:[{role:"user",content:ask}]}))),t,p);return tierRank(chooseTier([...p] as any,"balanced").tier)};
const by:Record<string,[number,number]>={};const lang:Record<string,[number,number,number,number]>={};
for(const {kind,asks} of reqs){const L=Object.keys(asks);const tt=L.map(l=>tierOf(asks[l]));const en=tierOf(asks.en);
 const ten=signalsOfBody({messages:[{role:"user",content:asks.en}]}).text.tokens;
 L.forEach((l,i)=>{const o=lang[l]??=[0,0,0,0];o[0]++;o[1]+=+(tt[i]===en);o[2]+=tt[i]!-en;o[3]+=signalsOfBody({messages:[{role:"user",content:asks[l]}]}).text.tokens/ten;});
 for(let i=0;i<tt.length;i++)for(let j=0;j<i;j++){for(const k of [kind,"all"]){const o=by[k]??=[0,0];o[1]++;o[0]+=+(tt[i]===tt[j]);}}}
for(const k in by)console.log(k,(by[k]![0]/by[k]![1]).toFixed(3));
for(const l in lang)console.log(l,"same as en",(lang[l]![1]/lang[l]![0]).toFixed(2),"shift",(lang[l]![2]/lang[l]![0]).toFixed(2),"tokens x",(lang[l]![3]/lang[l]![0]).toFixed(2));
