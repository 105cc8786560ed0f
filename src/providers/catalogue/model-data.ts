// Written by scripts/model-data.mjs out of @pydantic/genai-prices (MIT). Do not edit.

/** Text by source: a model a line, as `readRows` reads it. */
export const modelData: Readonly<Record<string, string>> = {
  "aws": `amazon.nova-2-sonic-v1:0;.33,2.75~a3~A12;1000000;Nova 2 Sonic;*%
amazon.nova-lite-v1:0;.06,.24,.015;300000;Nova Lite;*%
amazon.nova-micro-v1:0;.035,.14,.00875;128000;Nova Micro;*%
amazon.nova-premier-v1:0;2.5,12.5,.625;1000000;Nova Premier;*%
amazon.nova-pro-v1:0;.8,3.2,.2;300000;Nova Pro;*%
amazon.nova-sonic-v1:0;.06,.24~a3.4~A13.6;;Nova Sonic;*%
amazon.titan-embed-text-v1;.1,0;8192;Titan Embeddings G1 - Text;*%
amazon.titan-text-express-v1;.2,.6;;Titan Text G1 - Express;*titan-text-express
amazon.titan-text-lite-v1;.15,.2;;Titan Text G1 - Lite;*titan-text-lite
deepseek.r1-v1:0;1.35,5.4;128000;DeepSeek-R1;*%
global.amazon.nova-2-lite-v1:0;.3,2.5,.075;1000000;Nova 2 Lite;*%
global.anthropic.claude-fable-5-1-v1:0;10,50,.25,;1000000;;$% *%-v1
global.anthropic.claude-fable-5-v1:0;10,50,,;1000000;;$% *%-v1
global.anthropic.claude-haiku-4-5-20251001-v1:0;1,5,,;200000;;*%
global.anthropic.claude-opus-4-5-v1:0;5,25,,;200000;;*%
global.anthropic.claude-opus-4-6-v1:0;5,25,,;1000000;;*%
global.anthropic.claude-opus-4-7-v1:0;5,25,,;1000000;;*%
global.anthropic.claude-opus-4-8-v1:0;5,25,,;1000000;;*%
global.anthropic.claude-opus-5;5,25,,;1000000;;$& *&-v1
global.anthropic.claude-opus-5-5;4,20,.2,,;1000000;;$& *&-v1
global.anthropic.claude-sonnet-4-20250514-v1:0;3,15,,;200000;;*%
global.anthropic.claude-sonnet-4-5-20250929-v1:0;3,15,,;200000;;*%
global.anthropic.claude-sonnet-4-6-v1:0;3,15,,;1000000;;*%
global.anthropic.claude-sonnet-5-v1:0;2,10,,;1000000;;*%
global.openai.gpt-5.6-luna;.2,1.2,,>271999,.4,1.8,,;1000000;GPT-5.6 Luna (global);*&
global.openai.gpt-5.6-sol;5,30,,>271999,10,45,, 4,20,,>271999,8,30,,@2026-08-21;1000000;GPT-5.6 Sol (global);*&
global.openai.gpt-5.6-terra;2,12,,>271999,4,18,,;1000000;GPT-5.6 Terra (global);*&
google.gemma-3-12b-it;.09,.29;128000;Gemma 3 12B IT;*&
google.gemma-3-27b-it;.23,.38;128000;Gemma 3 27B IT;*&
google.gemma-3-4b-it;.04,.08;128000;Gemma 3 4B IT;*&
meta.llama3-1-70b-instruct-v1:0;.72,.72;128000;Llama 3.1 70B Instruct;*%
meta.llama3-1-8b-instruct-v1:0;.22,.22;128000;Llama 3.1 8B Instruct;*%
meta.llama3-2-11b-instruct-v1:0;.16,.16;128000;Llama 3.2 11B Instruct;*%
meta.llama3-2-1b-instruct-v1:0;.1,.1;128000;Llama 3.2 1B Instruct;*%
meta.llama3-2-3b-instruct-v1:0;.15,.15;128000;Llama 3.2 3B Instruct;*%
meta.llama3-2-90b-instruct-v1:0;.72,.72;128000;Llama 3.2 90B Instruct;*%
meta.llama3-3-70b-instruct-v1:0;.72,.72;128000;Llama 3.3 70B Instruct;*%
meta.llama3-70b-instruct-v1:0;2.65,3.5;8192;Llama 3 70B Instruct;*%
meta.llama3-8b-instruct-v1:0;.3,.6;8192;Llama 3 8B Instruct;*%
meta.llama4-maverick-17b-instruct-v1:0;.24,.97;1000000;Llama 4 Maverick 17B Instruct;*%
meta.llama4-scout-17b-instruct-v1:0;.17,.66;10000000;Llama 4 Scout 17B Instruct;*%
mistral.devstral-2-123b;.4,2;256000;Devstral 2 123B;*&
mistral.magistral-small-2509;.5,1.5;128000;Magistral Small 2509;*&
mistral.ministral-3-14b-instruct;.2,.2;128000;Ministral 14B 3.0;*&
mistral.ministral-3-3b-instruct;.1,.1;128000;Ministral 3B 3.0;*&
mistral.ministral-3-8b-instruct;.15,.15;128000;Ministral 8B 3.0;*&
mistral.mistral-7b-instruct-v0:2;.15,.2;32000;Mistral 7B Instruct;*%-v0
mistral.mistral-large-2402-v1:0;4,12;32000;Mistral Large (24.02);*%
mistral.mistral-large-3-675b-instruct;.5,1.5;256000;Mistral Large 3;*&
mistral.mistral-small-2402-v1:0;1,3;32000;Mistral Small (24.02);*%
mistral.mixtral-8x7b-instruct-v0:1;.45,.7;32000;Mixtral 8x7B Instruct;*%-v0
mistral.pixtral-large-2502-v1:0;2,6;128000;Pixtral Large (25.02);*%
mistral.voxtral-mini-3b-2507;.04,.04;32000;Voxtral Mini 3B 2507;*&
mistral.voxtral-small-24b-2507;.1,.3;32000;Voxtral Small 24B 2507;*&
nvidia.nemotron-nano-3-30b:0;.06,.24;256000;Nemotron 3 Nano 30B;*nvidia.nemotron-nano-3-30b
nvidia.nemotron-nano-9b-v2:0;.06,.23;128000;Nemotron 2 Nano 9B;*%-v2
nvidia.nemotron-super-3-120b:0;.15,.65;256000;Nemotron 3 Super 120B;*nvidia.nemotron-super-3-120b
openai.gpt-5.4;2.75,16.5,;;GPT-5.4
openai.gpt-5.5;5.5,33,;;GPT-5.5
openai.gpt-oss-120b-1:0;.15,.6;128000;gpt-oss-120b;*openai.gpt-oss-120b-1
openai.gpt-oss-20b-1:0;.07,.3;128000;gpt-oss-20b;*openai.gpt-oss-20b-1
qwen.qwen3-32b-v1:0;.15,.6;32000;Qwen3 32B (dense);*%
qwen.qwen3-coder-30b-a3b-v1:0;.15,.6;256000;Qwen3-Coder-30B-A3B-Instruct;*%
qwen.qwen3-coder-480b-a35b-v1:0;.45,1.8;128000;Qwen3-Coder-480B-A35B-Instruct;*%
qwen.qwen3-vl-235b-a22b-v1:0;.53,2.66;256000;Qwen3-VL-235B-A22B-Instruct;*%
regional.amazon.nova-2-lite-v1:0;.33,2.75,.0825;1000000;Nova 2 Lite;*us.% *eu.% *jp.%
regional.anthropic.claude-3-5-haiku-20241022-v1:0;.8,4,,;200000;;*claude-3-5-haiku-20241022
regional.anthropic.claude-3-5-sonnet-20240620-v1:0;3,15,,;200000;;*claude-3-5-sonnet-20240620
regional.anthropic.claude-3-5-sonnet-20241022-v2:0;3,15,,;200000;;*claude-3-5-sonnet-20241022
regional.anthropic.claude-3-7-sonnet-20250219-v1:0;3,15,,;200000;;*claude-3-7-sonnet-20250219
regional.anthropic.claude-3-haiku-20240307-v1:0;.25,1.25;200000;;*claude-3-haiku-20240307
regional.anthropic.claude-3-opus-20240229-v1:0;15,75;200000;;*claude-3-opus-20240229
regional.anthropic.claude-3-sonnet-20240229-v1:0;3,15,,;200000;;*claude-3-sonnet-20240229
regional.anthropic.claude-fable-5-1-v1:0;11,55,.275,;1000000;;=% =claude-fable-5-1 ^%-v1 ^claude-fable-5-1-v1 *us.%-v1
regional.anthropic.claude-fable-5-v1:0;11,55,,;1000000;;=% =claude-fable-5 ^%-v1 ^claude-fable-5-v1 *us.%-v1 *au.%-v1 *eu.%-v1 *jp.%-v1
regional.anthropic.claude-haiku-4-5-20251001-v1:0;1.1,5.5,,;200000;;^% ^claude-haiku-4-5-20251001 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-opus-4-1-20250805-v1:0;15,75,,;200000;;^% ^claude-opus-4-1-20250805 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-opus-4-20250514-v1:0;15,75,,;200000;;^% ^claude-opus-4-20250514 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-opus-4-5-v1:0;5.5,27.5,,;200000;;^% ^claude-opus-4-5 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-opus-4-6-v1:0;5.5,27.5,,;1000000;;^% ^claude-opus-4-6 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-opus-4-7-v1:0;5.5,27.5,,;1000000;;^% ^claude-opus-4-7 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-opus-4-8-v1:0;5.5,27.5,,;1000000;;^% ^claude-opus-4-8 *us.% *au.% *eu.% *jp.%
regional.anthropic.claude-opus-5;5.5,27.5,,;1000000;;=% =claude-opus-5 ^%-v1 ^claude-opus-5-v1 =us.% =au.% =eu.% =jp.% *us.%-v1 *au.%-v1 *eu.%-v1 *jp.%-v1
regional.anthropic.claude-opus-5-5;4.4,22,.22,,;1000000;;=% =claude-opus-5-5 ^%-v1 ^claude-opus-5-5-v1 =us.% =au.% =eu.% =jp.% *us.%-v1 *au.%-v1 *eu.%-v1 *jp.%-v1
regional.anthropic.claude-sonnet-4-20250514-v1:0;3,15,,;200000;;^% ^claude-sonnet-4-20250514 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-sonnet-4-5-20250929-v1:0;3.3,16.5,,;200000;;^% ^claude-sonnet-4-5-20250929 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-sonnet-4-6-v1:0;3.3,16.5,,;1000000;;^% ^claude-sonnet-4-6 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.anthropic.claude-sonnet-5-v1:0;2.2,11,,;1000000;;^% ^claude-sonnet-5 *us.% *au.% *apac.% *eu.% *us-gov.% *jp.%
regional.openai.gpt-5.6-luna;1.1,6.6,, .22,1.32,,>271999,.44,1.98,,@2026-07-30;1000000;GPT-5.6 Luna (regional);^% ^gpt-5.6-luna *us.% *in.%
regional.openai.gpt-5.6-sol;5.5,33,,>271999,11,49.5,, 4.4,22,,>271999,8.8,33,,@2026-08-21;1000000;GPT-5.6 Sol (regional);^% ^gpt-5.6-sol *us.%
regional.openai.gpt-5.6-terra;2.75,16.5,, 2.2,13.2,,>271999,4.4,19.8,,@2026-07-30;1000000;GPT-5.6 Terra (regional);^% ^gpt-5.6-terra *us.% *in.%
writer.palmyra-x4-v1:0;2.5,10;128000;Palmyra X4;*%
writer.palmyra-x5-v1:0;.6,6;128000;Palmyra X5;*%`,
  "anthropic": `claude-2;8,24;200000;Claude 2.0 / 2.1;^& *claude-v2
claude-3-5-haiku-latest;.8,4,,,;200000;Claude Haiku 3.5;^claude-3-5-haiku ^claude-3.5-haiku
claude-3-5-sonnet;3,15,,,;200000;Claude Sonnet 3.5;^& ^claude-3.5-sonnet
claude-3-7-sonnet-latest;3,15,,,;200000;Claude Sonnet 3.7;^claude-3-7-sonnet ^claude-3.7-sonnet ^claude-sonnet-3.7 ^claude-sonnet-3-7
claude-3-haiku;.25,1.25,.03,.3,;200000;Claude Haiku 3;^&
claude-3-opus-latest;15,75,,,;200000;Claude Opus 3;^claude-3-opus
claude-3-sonnet;3,15,,,;200000;%;^&
claude-fable-5;10,50,,,;1000000;%;/^&-\\d{8}$
claude-fable-5-1;10,50,.25,,;1000000;%;/^&-\\d{8}$
claude-haiku-4-5;1,5,,,;200000;%;^& ^claude-haiku-4.5 ^claude-4-5-haiku ^claude-4.5-haiku
claude-opus-4-0;15,75,,,;200000;Claude Opus 4;^& ^claude-4-opus =claude-opus-4 =claude-opus-4-20250514
claude-opus-4-1;15,75,,,;200000;%;^& ^claude-opus-4.1
claude-opus-4-5;5,25,,,;200000;%;^& ^claude-opus-4.5 ^claude-4-5-opus ^claude-4.5-opus
claude-opus-4-6;5,25,,,>200000,10,37.5,,, 5,25,,,@2026-03-13;1000000;%;^& ^claude-opus-4.6 ^claude-4-6-opus ^claude-4.6-opus
claude-opus-4-7;5,25,,,;1000000;%;^& ^claude-opus-4.7 ^claude-4-7-opus ^claude-4.7-opus
claude-opus-4-8;5,25,,,;1000000;%;^& ^claude-opus-4.8 ^claude-4-8-opus ^claude-4.8-opus
claude-opus-5;5,25,,,;1000000;%;/^&-\\d{8}$ ^&.0 ^claude-5-opus ^claude-5.0-opus
claude-opus-5-5;4,20,.2,,;1000000;%;/^&-\\d{8}$ ^claude-opus-5.5 ^claude-5-5-opus ^claude-5.5-opus
claude-sonnet-4-0;3,15,,,;200000;Claude Sonnet 4;^claude-sonnet-4-2025 ^& ^claude-sonnet-4@ =claude-sonnet-4 ^claude-4-sonnet
claude-sonnet-4-5;3,15,,,>200000,6,22.5,,,;200000;%;^& ^claude-sonnet-4.5
claude-sonnet-4-6;3,15,,,>200000,6,22.5,,, 3,15,,,@2026-03-13;1000000;%;^& ^claude-sonnet-4.6
claude-sonnet-5;2,10,,,;1000000;%;^& ^claude-5-sonnet ^claude-5.0-sonnet
claude-v1;8,24`,
  "google": `claude-3-5-haiku;.8,4,,;200000;;*&
claude-3-5-sonnet;3,15,,;200000;;*&
claude-3-7-sonnet;3,15,,;200000;;*&
claude-3-haiku;.25,1.25,.03,.3;200000;;*&
claude-3-opus;15,75,,;200000;;*&
claude-4-opus;15,75,,;200000;;*& *claude-opus-4@ *claude-opus-4-0 *claude-opus-4-1 =claude-opus-4
claude-4-sonnet;3,15,,;200000;;*& *claude-sonnet-4-0 *claude-sonnet-4@ *claude-sonnet-4-2025 =claude-sonnet-4 =anthropic/claude-sonnet-4
claude-fable-5;10,50,,;1000000;;$& *&@
claude-fable-5-1;10,50,.25,;1000000;;$& *&@
claude-opus-4-6;5,25,,>200000,10,37.5,,;1000000;;*claude-4-6-opus *& *claude-4.6-opus *claude-opus-4.6
claude-opus-4-7;5,25,,;1000000;;*claude-4-7-opus *& *claude-4.7-opus *claude-opus-4.7
claude-opus-4-8;5,25,,;1000000;;*claude-4-8-opus *& *claude-4.8-opus *claude-opus-4.8
claude-opus-5;5,25,,;1000000;;*claude-5-opus $& *&@ *claude-5.0-opus *&.0
claude-opus-5-5;4,20,.2,;1000000;;*claude-5-5-opus $& *&@ *claude-5.5-opus *claude-opus-5.5
claude-sonnet-4-5;3,15,,>200000,6,22.5,,;200000;;*& *claude-sonnet-4.5
claude-sonnet-4-6;3,15,,;1000000;;*& *claude-sonnet-4.6
gemini-1.0-pro-vision-001;.125,.375;32768;gemini 1.0 pro vision
gemini-1.5-flash;.075,.3,.01875>128000,.15,.6,.0375;1000000;gemini 1.5 flash;*&
gemini-1.5-pro;1.25,5>128000,2.5,10;1000000;gemini 1.5 Pro;*&
gemini-2.0-flash;.1,.4,.025~a.7~s.175;1000000;gemini 2.0 flash;$& *&-0 *&-exp *&-thinking *&-latest
gemini-2.0-flash-lite;.075,.3;1000000;gemini 2.0 flash lite;*&
gemini-2.5-flash;.3,2.5,~a1~s.1;1048576;%;=&-latest =&-preview-09-2025
gemini-2.5-flash-image;.3,2.5~I30;1000000;%;=&-preview
gemini-2.5-flash-lite;.1,.4,~a.3~s.03;1000000;%;^&-preview+/^(?!.*-[tT][tT][sS](?:$|-))
gemini-2.5-flash-lite-preview-tts;.5,10;8192;Gemini 2.5 Flash-Lite Preview TTS
gemini-2.5-flash-preview;.15,.6;;Gemini 2.5 Flash Preview 05-20;*&-05-20 *&-04-17 =&:thinking;1
gemini-2.5-flash-tts;.5,10;8192;Gemini 2.5 Flash TTS;=gemini-2.5-flash-preview-tts
gemini-2.5-pro;1.25,10,>200000,2.5,15,;;%;^&+/^(?!.*-[tT][tT][sS](?:$|-))
gemini-2.5-pro-tts;1,20;8192;Gemini 2.5 Pro TTS;=gemini-2.5-pro-preview-tts
gemini-3-flash-preview;.5,3,~a1~s.1;1000000;%;^&-
gemini-3-pro-image-preview;2,12~I120;1000000;%;=gemini-3-pro-image ^&
gemini-3-pro-preview;2,12,>200000,4,18,;;%;^& =gemini-3-pro-text-preview
gemini-3.1-flash-image-preview;.5,3~I60;1000000;%;=gemini-3.1-flash-image ^&
gemini-3.1-flash-lite;.25,1.5,~a.5~s.05;1000000;%;^&-preview
gemini-3.1-flash-lite-image;.25,1.5~I30;;%;^&
gemini-3.1-flash-live-preview;.75,4.5~i1~a3~A12;;%;^&
gemini-3.1-pro-preview;2,12,>200000,4,18,;;%;^&
gemini-3.5-flash;1.5,9,;1000000;%;^&-preview /^&-\\d
gemini-3.5-flash-lite;.3,2.5,;1000000;%;^&
gemini-3.6-flash;.75,3.75, 1.5,7.5,@2027-01-01;1000000;%;^&
gemini-3.7-flash;.75,3.75, 1.5,7.5,@2027-01-01;1000000;%;^&
gemini-3.8-flash;.75,3.75, 1.5,7.5,@2027-01-01;1000000;%;^&
gemini-embedding-001;.15,0
gemini-embedding-2;.2,0~i.45~a6.5;8192;%
gemini-flash-1.5;.075,.3,.01875>128000,.15,.6,.0375;;Gemini 1.5 Flash
gemini-flash-1.5-8b;.0375,.15,.01>128000,.075,.3,.02;1000000;gemini 1.5 flash
gemini-live-2.5-flash;.5,2~a3~A12;;%;^& ^gemini-2.5-flash-native-audio-preview =gemini-2.5-flash-native-audio-latest
gemini-omni-flash-preview;1.5,9;;%;^&
gemini-pro;.125,.375;32768;gemini 1.0 pro;=gemini-1.0-pro
gemini-pro-1.5;1.25,5,.3125>128000,2.5,10,.625;2000000;Gemini 1.5 Pro
gemma-2-27b-it;.65,.65;;Gemma 2 27B
gemma-3;;;Gemma 3 (free);^&-
gemma-3n;;;Gemma 3n (free);^&
gemma-4-26b-a4b-it;;262144;Gemma 4 26B A4B
gemma-4-26b-a4b-it-maas;.15,.6,;262144;Gemma 4 26B A4B (Vertex AI MaaS)
gemma-4-31b-it;;262144;Gemma 4 31B`,
  "openai": `ada;.4,.4;;;=text-&-001
babbage;.5,.5
chatgpt-4o-latest;5,15;128000;ChatGPT-4o
codex-mini;1.5,6,.375;200000;%;=&-latest
computer-use;3,12;8192;Computer use;^&
curie;2,2;;;=text-&-001
davinci;20,20;;;=text-&-001
ft:gpt-3.5-turbo-;3,6;;;^ft:gpt-3.5-turbo
ft:gpt-4o;3.75,15;;;^&-2024-
ft:gpt-4o-mini;.3,1.2;;;^&-2024-
gpt-3.5-0301;1.5,2;;;=gpt-3.5-turbo-0301
gpt-3.5-turbo;.5,1.5;16385;gpt 3.5 turbo;=gpt-35-turbo =&-0125
gpt-3.5-turbo-0613;1.5,2;16385
gpt-3.5-turbo-1106;1,2;16385
gpt-3.5-turbo-16k;3,4;16385;%;=&-0613 =gpt-35-turbo-16k-0613 =gpt-35-turbo-16k
gpt-3.5-turbo-instruct;1.5,2;16385;gpt 3.5 turbo instruct;^&
gpt-4;30,60;8192;gpt 4;=&-0314 =&-0613 ^ft:&-0
gpt-4-32k;60,120;32000;gpt 4;=&-0314 =&-0613
gpt-4-turbo;10,30;128000;gpt 4 turbo;=&-2024-04-09 =&-0125-preview =gpt-4-0125-preview =gpt-4-1106-preview =&-preview
gpt-4-vision-preview;10,30;128000;gpt 4 vision;=gpt-4-1106-vision-preview
gpt-4.1;2,8,.5;1000000;gpt 4.1;=&-2025-04-14
gpt-4.1-mini;.4,1.6,.1;1000000;gpt 4.1 mini;=&-2025-04-14
gpt-4.1-nano;.1,.4,.025;1000000;gpt 4.1 nano;=&-2025-04-14
gpt-4.5-preview;75,150,37.5;;GPT-4.5 (Preview);^&
gpt-4o;2.5,10,1.25;128000;gpt 4o;=&-2024-08-06 =&-2024-11-20
gpt-4o-2024-05-13;5,15;128000;gpt 4o (2024-05-13)
gpt-4o-audio-preview;2.5,10;128000;gpt 4o audio preview;^&
gpt-4o-mini;.15,.6,.075;128000;gpt 4o mini;=&-2024-07-18 =&-search-preview =&-search-preview-2025-03-11
gpt-4o-mini-2024-07-18.ft-;.3,1.2;;;^&
gpt-4o-mini-audio-preview;.15,.6;128000;gpt 4o mini audio preview;^gpt-4o-mini-audio
gpt-4o-mini-realtime-preview;.6,2.4,.3~a10~s.3~A20;16000;;^gpt-4o-mini-realtime
gpt-4o-mini-transcribe;1.25,5~a3;16000
gpt-4o-mini-tts;.6,12
gpt-4o-realtime-preview;5,20,2.5~a40~s2.5~A80;32000;;^gpt-4o-realtime
gpt-4o-search-preview;2.5,10;128000;%;=&-2025-03-11
gpt-4o-transcribe;2.5,10~a6;16000;;=&-diarize
gpt-4o:extended;6,18;;GPT-4o (extended)
gpt-5;1.25,10,;400000;%;=&-2025-08-07 =&-chat =&-chat-latest =&-codex
gpt-5-image;10,10,1.25
gpt-5-image-mini;2.5,2,
gpt-5-mini;.25,2,;400000;GPT-5 mini;=&-2025-08-07
gpt-5-nano;.05,.4,;400000;GPT-5 nano;^&-
gpt-5-pro;15,120;400000;;=&-2025-10-06
gpt-5.1;1.25,10,;400000;%;=&-2025-11-13 =&-codex =&-codex-max =&-chat =&-chat-latest =gpt-5-1 =gpt-5-1-2025-11-13 =gpt-5-1-codex =gpt-5-1-codex-max =gpt-5-1-chat =gpt-5-1-chat-latest
gpt-5.1-codex-mini;.25,2,;400000;%;=gpt-5.1-mini =gpt-5-1-codex-mini =gpt-5-1-mini
gpt-5.2;1.75,14,;400000;%;=&-2025-12-11 =gpt-5-2 =gpt-5-2-2025-12-11 =&-chat =&-chat-latest =gpt-5-2-chat =gpt-5-2-chat-latest =&-codex =gpt-5-2-codex
gpt-5.2-pro;21,168;400000;;=&-2025-12-11 =gpt-5-2-pro-2025-12-11
gpt-5.3;1.75,14,;128000;GPT-5.3 Chat;=gpt-5-3 =&-chat =&-chat-latest =gpt-5-3-chat =gpt-5-3-chat-latest
gpt-5.3-codex;1.75,14,;400000;GPT-5.3-Codex;=gpt-5-3-codex
gpt-5.4;2.5,15,>271999,5,22.5,;1050000;%;=&-2026-03-05 =gpt-5-4 =gpt-5-4-2026-03-05
gpt-5.4-image-2;8,15,2;;%
gpt-5.4-mini;.75,4.5,;400000;GPT-5.4 mini;=&-2026-03-17 =gpt-5-4-mini =gpt-5-4-mini-2026-03-17
gpt-5.4-nano;.2,1.25,;400000;GPT-5.4 nano;=&-2026-03-17 =gpt-5-4-nano =gpt-5-4-nano-2026-03-17
gpt-5.4-pro;30,180>271999,60,270;1050000;%;=&-2026-03-05 =gpt-5-4-pro =gpt-5-4-pro-2026-03-05
gpt-5.5;5,30,>271999,10,45,;1000000;%;=&-2026-04-23 =&-2026-04-24 =gpt-5-5 =gpt-5-5-2026-04-23 =gpt-5-5-2026-04-24 =&-chat =&-chat-latest =gpt-5-5-chat =gpt-5-5-chat-latest =&-codex =gpt-5-5-codex
gpt-5.5-pro;30,180>271999,60,270;1000000;%;=&-2026-04-23 =gpt-5-5-pro =gpt-5-5-pro-2026-04-23
gpt-5.6-luna;1,6,,>271999,2,9,, .2,1.2,,>271999,.4,1.8,,@2026-07-30;1050000;%;=gpt-5-6-luna /^&-\\d{4}-\\d{2}-\\d{2}$ /^gpt-5-6-luna-\\d{4}-\\d{2}-\\d{2}$
gpt-5.6-sol;5,30,,>271999,10,45,, 4,20,,>271999,8,30,,@2026-08-21;1050000;%;=gpt-5-6-sol =gpt-5.6 =gpt-5-6 /^&-\\d{4}-\\d{2}-\\d{2}$ /^gpt-5-6-sol-\\d{4}-\\d{2}-\\d{2}$
gpt-5.6-terra;2.5,15,,>271999,5,22.5,, 2,12,,>271999,4,18,,@2026-07-30;1050000;%;=gpt-5-6-terra /^&-\\d{4}-\\d{2}-\\d{2}$ /^gpt-5-6-terra-\\d{4}-\\d{2}-\\d{2}$
gpt-6-astra;10,50,,>271999,20,75,,;1050000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-6-luna;.1,.5,,>272000,.2,.75,,;1050000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-6-sol;2,10,,>272000,4,15,,;1050000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-audio;2.5,10~a32~A64;128000;GPT Audio;=&-2025-08-28 =&-1.5
gpt-audio-mini;.6,2.4~a10~A20;128000;GPT Audio Mini;=&-2025-10-06 =&-2025-12-15
gpt-chat-latest;5,30,;;GPT Chat Latest
gpt-image-1;5,40,1.25~i10~c2.5;;GPT Image 1
gpt-image-1-mini;2,8,~i2.5~c.25;;GPT Image 1 Mini
gpt-image-1.5;5,10,1.25~i8~c2~I32;;GPT Image 1.5;=&-2025-12-16
gpt-image-2;5,30,1.25~i8~c2;;GPT Image 2;=&-2026-04-21
gpt-oss-120b;.039,.18;131072;&
gpt-oss-20b;.029,.14;131072;&
gpt-oss-safeguard-20b;.075,.3,.037;131072;&
gpt-realtime;4,16,~i5~a32~c.5~s.4~A64;32000;;=&-2025-08-28 =&-1.5
gpt-realtime-2;4,24,~i5~a32~c.5~s.4~A64;128000;;=&.1
gpt-realtime-mini;.6,2.4,~i.8~a10~c.08~s.3~A20;;;=gpt-realtime-2.1-mini =&-2025-12-15 =&-2025-10-06
gpt-transcribe;~h.27
moderation;;;;*&
o1;15,60,7.5;200000;&;=&-2024-12-17
o1-mini;1.1,4.4,.55;128000;o1 mini;=&-2024-09-12
o1-preview;15,60,7.5;128000;o1 preview;=&-2024-09-12
o1-pro;150,600;200000;&;=&-2025-03-19
o3;10,40,.5 2,8,.5@2025-06-10;200000;&;=&-2025-04-16
o3-deep-research;10,40,2.5;200000;;=&-2025-06-26
o3-mini;1.1,4.4,.55;200000;o3 Mini;=&-2025-01-31 =&-high
o3-pro;20,80;200000;o3 Pro;=&-2025-06-10
o4-mini;1.1,4.4,.275;200000;o4 Mini High;=&-2025-04-16 =&-high
o4-mini-deep-research;2,8,.5;200000;;=&-2025-06-26
text-davinci-002;20,20
text-davinci-003;20,20
text-embedding-3-large;.13,0;8192;text embedding 3
text-embedding-3-small;.02,0;8192;text embedding 3
text-embedding-ada-002;.1,0;8192;text embedding ada;=text-embedding-ada =&-v2
whisper-1;~h.36`,
  "cohere": `c4ai-aya-expanse-32b;.5,1.5;128000;Aya Expanse 32B;*aya-expanse-32b
c4ai-aya-expanse-8b;.5,1.5;8192;Aya Expanse 8B;*aya-expanse-8b;1
command;1,2;;%
command-a;2.5,10;;%;=&-03-2025
command-light;.3,.6;4096;%;^&;1
command-r;.15,.6;;%;=&-08-2024
command-r-plus;2.5,10;;Command R+;=&-08-2024
command-r7b;.0375,.15;;Command R7B;=&-12-2024
embed-v4.0;.12,0;128000;Embed v4.0`,
  "minimax": `M2-her;.3,1.2;64000;MiniMax M2-her
MiniMax-M2;.3,1.2,,;204800;%;=&.1 =&.5
MiniMax-M2.1-highspeed;.6,2.4,.03,.375;204800;%;*m2.1-highspeed
MiniMax-M2.5-highspeed;.6,2.4,.03,.375;204800;%;*m2.5-highspeed
MiniMax-M2.7;.3,1.2,.06,;204800;%
MiniMax-M2.7-highspeed;.6,2.4,,.375;204800;%;*m2.7-highspeed
minimax-01;.2,1.1;1000192;MiniMax-01
minimax-m1;.4,2.2;;MiniMax M1
minimax-m3;.3,1.2,.06>512000,.6,2.4,.12;1000000;MiniMax M3`,
  "deepseek": `deepseek-chat;.135,.55,.035 .27,1.1,.07@00:30:00Z-16:30:00Z;64000;DeepSeek Chat;^&
deepseek-reasoner;.135,.55,.035 .55,2.19,.14@00:30:00Z-16:30:00Z;64000;Deepseek R1;^deepseek-r1
deepseek-v3.1-terminus;.27,.95,.13;128000;DeepSeek V3.1 Terminus
deepseek-v3.2;.2288,.3432;128000;DeepSeek V3.2
deepseek-v3.2-exp;.27,.41;128000;DeepSeek V3.2 Exp
deepseek-v4-flash;.14,.28,.0028 .22,.66,.007@2026-08-17 .44,1.32,.014@01:00:00Z-04:00:00Z .44,1.32,.014@06:00:00Z-10:00:00Z;1000000;DeepSeek V4 Flash;^&
deepseek-v4-pro;.435,.87,.003625 .66,1.98,.022@2026-08-17 1.32,3.96,.044@01:00:00Z-04:00:00Z 1.32,3.96,.044@06:00:00Z-10:00:00Z;1000000;DeepSeek V4 Pro;^&`,
  "fireworks": `deepseek-r1-0528;3,8;160000;DeepSeek R1 0528;=accounts/fireworks/models/&
deepseek-v3-0324;.9,.9;160000;Deepseek V3 03-24;=accounts/fireworks/models/&
deepseek-v3p2;.56,1.68,.28;163840;Deepseek V3.2;=accounts/fireworks/models/&
deepseek-v4-flash;.14,.28,.028;1040000;DeepSeek-V4-Flash;=accounts/fireworks/models/& =accounts/fireworks/models/&-0731
deepseek-v4-pro;1.74,3.48,.145;1048576;DeepSeek-V4-Pro;=accounts/fireworks/models/&
gemma-3-27b-it;.1,.1;131000;Gemma 3 27B Instruct;=accounts/fireworks/models/&
glm-4p7;.6,2.2;202752;GLM-4.7;=accounts/fireworks/models/&
glm-5p1;1.4,4.4,.26;;GLM-5.1;=accounts/fireworks/models/&
glm-5p1-fast;2.8,8.8,.52;;GLM 5.1 Fast;=accounts/fireworks/routers/&
glm-5p2;1.4,4.4,;1040000;GLM-5.2;=accounts/fireworks/models/&
glm-5p2-fast;2.1,6.6,;1040000;GLM 5.2 Fast;=accounts/fireworks/routers/& =accounts/fireworks/routers/&-us
gpt-oss-120b;.15,.6,.014;131072;OpenAI gpt-oss-120b;=accounts/fireworks/models/&
gpt-oss-20b;.07,.3,.035;131072;OpenAI gpt-oss-20b;=accounts/fireworks/models/&
inkling;1,4.05,.17;1040000;%;=accounts/fireworks/models/&
kimi-k2p5;.6,3,.1;262144;Kimi K2.5;=accounts/fireworks/models/&
kimi-k2p6;.95,4,.16;;Kimi K2.6;=accounts/fireworks/models/&
kimi-k2p6-fast;2,8,.3;262144;Kimi K2.6 Fast;=accounts/fireworks/routers/&
kimi-k2p7-code;.95,4,.19;262144;Kimi K2.7 Code;=accounts/fireworks/models/&
kimi-k2p7-code-fast;1.9,8,.38;262144;Kimi K2.7 Code Fast;=accounts/fireworks/routers/&
kimi-k3;3,15,;1040000;%;=accounts/fireworks/models/&
kimi-k3-fast;4.5,22.5,;1040000;%;=accounts/fireworks/routers/&
kimi-k3-us;3.3,16.5,;1040000;Kimi K3 US;=accounts/fireworks/routers/&
llama-v3p1-8b-instruct;.2,.2;131000;Llama 3.1 8B Instruct;=accounts/fireworks/models/&
llama4-maverick-instruct-basic;.22,.88;1000000;Llama 4 Maverick Instruct (Basic);=accounts/fireworks/models/&
minimax-m2p1;.3,1.2;204800;MiniMax-M2.1;=accounts/fireworks/models/&
minimax-m2p7;.3,1.2,.06;;MiniMax M2.7;=accounts/fireworks/models/&
minimax-m3;.3,1.2,.06;524288;MiniMax M3;=accounts/fireworks/models/&
nemotron-3-ultra-nvfp4;.6,2.4,.12;262000;NVIDIA Nemotron 3 Ultra NVFP4;=accounts/fireworks/models/&
qwen2p5-vl-72b-instruct;.9,.9;128000;Qwen2.5-VL 72B Instruct;=accounts/fireworks/models/&
qwen3-235b-a22b;.22,.88;128000;Qwen3 235B-A22B;=accounts/fireworks/models/&
qwen3p6-plus;.5,3,.1;;Qwen3.6 Plus;=accounts/fireworks/models/&
qwen3p7-plus;.4,1.6,.08;262144;Qwen3.7 Plus;=accounts/fireworks/models/&`,
  "groq": `deepseek-r1-distill-llama-70b;.75,.99;131072;DeepSeek R1 Distill Llama 70B
gemma-7b-it;.07,.07
gemma2-9b-it;.2,.2;;Gemma 2 9B 8k;=gemma2-9b
llama-3.1-405b-reasoning;.59,.79
llama-3.1-70b-versatile;.59,.79
llama-3.1-8b-instant;.05,.08;;Llama 3.1 8B Instant 128k
llama-3.2-11b-text-preview;.18,.18
llama-3.2-11b-vision-preview;.18,.18
llama-3.2-1b-preview;.04,.04
llama-3.2-3b-preview;.06,.06
llama-3.2-90b-text-preview;.9,.9
llama-3.2-90b-vision-preview;.9,.9
llama-3.3-70b-specdec;.59,.99
llama-3.3-70b-versatile;.59,.79;;Llama 3.3 70B Versatile 128k
llama-guard-3-8b;.2,.2
llama2-70b-4096;.7,.8
llama3-70b-8192;.59,.79
llama3-8b-8192;.05,.08
llama3-groq-70b-8192-tool-use-preview;.89,.89
llama3-groq-8b-8192-tool-use-preview;.19,.19
meta-llama/llama-4-maverick-17b-128e-instruct;.2,.6;131072;Llama 4 Maverick 17B 128E
/llama-4-scout-17b-16e-instruct;.11,.34;;Llama 4 Scout (17Bx16E) 128k
/llama-guard-4-12b;.2,.2;131072;Llama Guard 4 12B
mistral-saba-24b;.79,.79
mixtral-8x7b-32768;.24,.24
moonshotai/kimi-k2-instruct;1,3,.5;131072;Kimi K2 1T 128k;=&-0905
openai/gpt-oss-120b;.15,.6,.075;131072;;=openai/gpt-oss-safeguard-20b
/gpt-oss-20b;.075,.3,.0375;131072
qwen/qwen3-32b;.29,.59;131072;Qwen3 32B 131k
whisper-large-v3;~h.111;;%
whisper-large-v3-turbo;~h.04;;%`,
  "moonshotai": `kimi-k2;.57,2.3;;Kimi K2 0711;;1
kimi-k2-0711-preview;.6,2.5,.15;131072;%;;1
kimi-k2-0905-preview;.6,2.5,.15;262144;%;;1
kimi-k2-thinking;.6,2.5,.15;262144;%;;1
kimi-k2-thinking-turbo;1.15,8,.15;262144;%;;1
kimi-k2-turbo-preview;1.15,8,.15;262144;%;^kimi-k2-turbo;1
kimi-k2.5;.6,3,.1;262144;%;^&
kimi-k2.6;.95,4,.16;262144;%;^&
kimi-k2.7-code;.95,4,.19;262144;%
kimi-k2.7-code-highspeed;1.9,8,.38;262144;Kimi K2.7 Code HighSpeed
kimi-k3;3,15,;1048576;%
moonshot-v1-128k;2,5;131072;Moonshot V1 128K;=&-vision-preview
moonshot-v1-32k;1,3;32768;Moonshot V1 32K;=&-vision-preview
moonshot-v1-8k;.2,2;8192;Moonshot V1 8K;=&-vision-preview`,
  "cerebras": `gemma-4-31b;.99,1.49;131072;Gemma 4 31B;^cerebras/& ^cerebras:&
gpt-oss-120b;.35,.75;131072;GPT-OSS 120B;^cerebras/& ^cerebras:&
llama-3.3-70b;.85,1.2;128000;Llama 3.3 70B;^cerebras/& ^cerebras:&;1
llama3.1-8b;.1,.1;32768;Llama 3.1 8B;^cerebras/& ^cerebras:&;1
qwen-3-32b;.4,.8;131072;Qwen 3 32B;^cerebras/& ^cerebras:&;1
qwen-3-coder-480b;;;&
zai-glm-4.7;2.25,2.75;131072;Z.ai GLM 4.7;^cerebras/& ^cerebras:&;1`,
  "azure": `mai-ds-r1:free;;163840;MAI DS R1 (free)
o1;15,60,7.5;200000;;=&-2024-12-17
o1-mini;1.1,4.4,.55;128000;;=&-2024-09-12
o1-preview;15,60,7.5;128000;;=&-2024-09-12
o3-2025-04-16;2,8,.5;200000;;=o3
o3-mini;1.1,4.4,.55;200000;;=&-2025-01-31
o4-mini;1.1,4.4,.28;200000;;*&
phi-3-medium-128k-instruct;1,1;131072;Phi-3 Medium 128K Instruct
phi-3-mini-128k-instruct;.1,.1;131072;Phi-3 Mini 128K Instruct
phi-3.5-mini-128k-instruct;.1,.1;131072;Phi-3.5 Mini 128K Instruct
phi-4;.07,.14;16384;%
phi-4-mini-instruct;.08,.35;131072;%
phi-4-multimodal-instruct;.05,.1;131072;%
phi-4-reasoning-plus;.07,.35;32768;%
phi-4-reasoning-plus:free;;32768;Phi 4 Reasoning Plus (free)
phi-4-reasoning:free;;32768;Phi 4 Reasoning (free)
text-embedding-3-large;.13,0;8192
text-embedding-3-small;.02,0;8192
wizardlm-2-8x22b;.48,.48;;WizardLM-2 8x22B`,
  "mistral": `codestral;.3,.9;256000;%;=&-latest =&-2501
codestral-2508;.3,.9,;256000;%
devstral-2512;.4,2,;262144;Devstral 2 2512
devstral-small;.1,.3;;%;=&-2505 =&-2507 =&-latest =labs-&-2512;1
devstral-small:free;;;Devstral Small (free)
magistral-medium;2,5;;%;^&
magistral-small;.5,1.5;;%;^&-
ministral-14b-2512;.2,.2,;262144;Ministral 3 14B 2512
ministral-3b;.04,.04;;Ministral 3B
ministral-3b-2512;.1,.1,;131072;Ministral 3 3B 2512
ministral-8b;.1,.1;;Ministral 8B 24.10;=&-2410
ministral-8b-2512;.15,.15,;262144;Ministral 3 8B 2512
ministral-8b-latest;.1,.1 .15,.15,@2025-12-02;;Ministral 8B Latest
mistral-7b;.25,.25;;Mistral 7B;=open-&
mistral-embed;.1,.1;8192
mistral-large;2,6;;%;=&-latest =&-2407 =&-2411
mistral-large-2512;.5,1.5,;262144;Mistral Large 3 2512
mistral-medium-2312;2.7,8.1;;Mistral Medium 1
mistral-medium-3-1;.4,2,;;Mistral Medium 3 and 3.1;=mistral-medium =mistral-medium-2505 =mistral-medium-2508
mistral-medium-3-5;1.5,7.5,;262144;%;=mistral-medium-3.5 =mistral-medium-3
mistral-medium-latest;.4,2, 1.5,7.5,@2026-06-16;;%
mistral-nemo;.15,.15;;Mistral NeMo;=open-&
mistral-nemo:free;;;Mistral Nemo (free)
mistral-saba;.2,.6;;%;=&-latest
mistral-small-24b-instruct-2501;.05,.08;;Mistral Small 3
mistral-small-24b-instruct-2501:free;;;Mistral Small 3 (free)
mistral-small-2603;.15,.6,;262144;Mistral Small 4
mistral-small-3.1-24b-instruct;.351,.555;;Mistral Small 3.1 24B
mistral-small-3.2-24b-instruct;.075,.2;;Mistral Small 3.2 24B
mistral-small-latest;.1,.3;;Mistral Small 3.2
mistral-tiny;.25,.25;;%;;1
mixtral-8x22b-instruct;.9,.9;;Mixtral 8x22B Instruct
mixtral-8x7b;.7,.7;;Mixtral 8x7B;^& =open-&
pixtral-12b;.15,.15;;Pixtral 12B;=&-latest
pixtral-large;2,6;;Pixtral Large 2411;=&-latest =&-2411
voxtral-mini-2602;~h.18;16384;Voxtral Mini Transcribe 2;=voxtral-mini-latest
voxtral-small-24b-2507;.1,.3, .1,.4,@2026-08-11;32768;Voxtral Small 24B 2507;=voxtral-small-2507 =voxtral-small-latest`,
  "huggingface_together": `EssentialAI/rnj-1-instruct;.15,.15;32768;&;=&-fast
Qwen/Qwen2.5-7B-Instruct;.3,.3;32768;&;=&-fast
/Qwen3-235B-A22B-Instruct-2507;.2,.6;262144;&;=&-fast
/Qwen3-Coder-480B-A35B-Instruct;2,2;262144;&;=&-fast =&-fp8 =&-fp8-fast
/Qwen3-Coder-Next-FP8;.5,1.2;262144;&;=&-fast
/Qwen3-Next-80B-A3B-Instruct;.15,1.5;262144;&;=&-fast
/Qwen3-VL-8B-Instruct;.18000000000000002,.68;262144;&;=&-fast
/Qwen3.5-397B-A17B;.6,3.6;262144;&;=&-fast
/Qwen3.5-9B;.1,.15;262144;&;=&-fast
ServiceNow-AI/Apriel-1.6-15b-Thinker;;131072;&;=&-fast
deepcogito/cogito-671b-v2.1;1.25,1.25;163840;&;=&-fast =&-fp8 =&-fp8-fast
deepseek-ai/DeepSeek-R1;3,7;163840;&;=&-fast =&-0528 =&-0528-fast
/DeepSeek-V3;1.25,1.25;131072;&;=&-fast =&-0324 =&-0324-fast
/DeepSeek-V3.1;.6,1.7;131072;&;=&-fast
google/gemma-3n-E4B-it;.02,.04;32768;&;=&-fast
meta-llama/Llama-3.3-70B-Instruct;.88,.88;131072;&;=&-fast
/Llama-4-Maverick-17B-128E-Instruct-FP8;.27,.85;1048576;&;=&-fast
moonshotai/Kimi-K2.5;.5,2.8;262144;&;=&-fast
openai/gpt-oss-120b;.15,.6;131072;&;=&-fast
/gpt-oss-20b;.05,.2;131072;&;=&-fast
zai-org/GLM-4.5-Air-FP8;.2,1.1;131072;&;=&-fast
/GLM-4.6;.6,2.2;202752;&;=&-fast
/GLM-4.7-FP8;.45,2;202752;&;=&-fast
/GLM-5;1,3.2;202752;&;=&-fast`,
  "github-copilot": `claude-fable-5;10,50,,;264000;%
claude-fable-5.1;10,50,,;264000;%
claude-haiku-4.5;1,5,,;144000;%
claude-opus-4.7;5,25,,;264000;%
claude-opus-4.8;5,25,,;264000;%
claude-opus-4.8-fast;10,50,,;264000;Claude Opus 4.8 (fast mode)
claude-opus-5;5,25,,;264000;%
claude-sonnet-5;2,10,,;264000;%
gemini-3.5-flash;1.5,9,;264000;%
gemini-3.6-flash;.75,3.75,;264000;%
gemini-3.7-flash;.75,3.75,;264000;%
gemini-3.8-flash;.75,3.75,;265536;%
gpt-3.5-turbo;;16384;GPT 3.5 Turbo;=&-0613
gpt-4.1;;128000;%;=&-2025-04-14
gpt-4o;;128000;%;=&-2024-05-13 =&-2024-08-06 =&-2024-11-20 =gpt-4-o-preview
gpt-4o-mini;;128000;GPT-4o mini;=&-2024-07-18
gpt-5-mini;.25,2,;264000;GPT-5 mini;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.3-codex;1.75,14,;400000;GPT-5.3-Codex;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.4;2.5,15,>272000,5,22.5,;400000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.4-mini;.75,4.5,;400000;GPT-5.4 mini;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.5;5,30,>272000,10,45,;400000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.6-luna;.2,1.2,,>200000,.4,1.8,,;328000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.6-sol;4,20,,>272000,8,30,,;400000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
gpt-5.6-terra;2,12,,>272000,4,18,,;400000;%;/^&-\\d{4}-\\d{2}-\\d{2}$
grok-4.5;2,6,.5>200000,4,12,1;328000;%
grok-4.6;2,6,.5>200000,4,12,1;328000;%
kimi-k2.7-code;.95,4,.19;256000;%
kimi-k3;3,15,;1048576;%
mai-code-1-flash-picker;.75,4.5,;256000;MAI-Code-1-Flash
mai-code-1.1-flash;.2,1.2,;256000;MAI-Code-1.1-Flash`,
  "openrouter": `01-ai/yi-large;3,3
aetherwiing/mn-starcannon-12b;.8,1.2
agentica-org/deepcoder-14b-preview:free
ai21/jamba-1-5-large;2,8
/jamba-1-5-mini;.2,.4
/jamba-1.6-large;2,8
/jamba-1.6-mini;.2,.4
/jamba-instruct;.5,.7
/jamba-large-1.7;2,8
aion-labs/aion-1.0;4,8
/aion-1.0-mini;.7,1.4
/aion-2.0;.8,1.6,.2;131072
/aion-rp-llama-3.1-8b;.2,.2;32768
alfredpros/codellama-7b-instruct-solidity;.8,1.2
all-hands/openhands-lm-32b-v0.1;2.6,3.4
allenai/molmo-7b-d:free
/olmo-3-32b-think;.15,.5;65536
alpindale/goliath-120b;6.5625,9.375
/magnum-72b;1.5,2.25
amazon/nova-2-lite-v1;.3,2.5;1000000
/nova-lite-v1;.06,.24;300000
/nova-micro-v1;.035,.14;128000
/nova-premier-v1;2.5,12.5,.625;1000000
/nova-pro-v1;.8,3.2;300000
anthracite-org/magnum-v2-72b;3,3
/magnum-v4-72b;1.5,2.25;32768
anthropic/claude-2;8,24;;;=&.0 =&.0:beta =&.1 =&.1:beta =&:beta
/claude-3-haiku;.25,1.25;200000;;=&:beta
/claude-3-opus;15,75;;;=&:beta
/claude-3-sonnet;3,15;;;=&:beta
/claude-3.5-haiku;.8,4;;;=&-20241022 =&-20241022:beta =&:beta
/claude-3.5-sonnet;3,15;;;=&-20240620 =&-20240620:beta =&:beta
/claude-3.7-sonnet;3,15;;;=&:beta =&:thinking
/claude-fable-5;10,50,,;1000000;;=&:beta
/claude-fable-5.1;10,50,.25,;1000000;;=&:beta
/claude-haiku-4.5;1,5,,;200000;;=anthropic/claude-4.5-haiku-20251001 =anthropic/claude-4.5-haiku-20251001:beta =&-20251001 =&-20251001:beta =&:beta
/claude-opus-4;15,75,,;200000;;=&.1
/claude-opus-4.5;5,25,,;200000;;=anthropic/claude-4.5-opus-20251124 =anthropic/claude-4.5-opus-20251124:beta =&-20251124 =&-20251124:beta =&:beta
/claude-opus-4.6;5,25,,;1000000;;=anthropic/claude-4.6-opus-20260205 =anthropic/claude-4.6-opus-20260205:beta =&-20260205 =&-20260205:beta =&:beta
/claude-opus-4.6-fast;30,150,,
/claude-opus-4.7;5,25,,;1000000;;=&:beta
/claude-opus-4.7-fast;30,150,,;1000000
/claude-opus-4.8;5,25,,;1000000;;=&:beta
/claude-opus-4.8-fast;10,50,,;1000000
/claude-opus-5;5,25,,;1000000;;=&:beta
/claude-opus-5-fast;10,50,,;1000000
/claude-opus-5.5;4,20,.2,;1000000;;=&:beta
/claude-sonnet-4;3,15,,
/claude-sonnet-4.5;3,15,,>200000,6,22.5,,;1000000;;=anthropic/claude-4.5-sonnet-20250929 =anthropic/claude-4.5-sonnet-20250929:beta =&-20250929 =&-20250929:beta =&:beta
/claude-sonnet-4.6;3,15,,;1000000;;=anthropic/claude-4.6-sonnet-20260217 =anthropic/claude-4.6-sonnet-20260217:beta =&-20260217 =&-20260217:beta =&:beta
/claude-sonnet-5;2,10,,;1000000;;=&:beta
anubis-pro-105b-v1;.8,1
arcee-ai/coder-large;.5,.8
/trinity-large-thinking;.22,.85,.06;262144
/trinity-mini;.045,.15
/virtuoso-large;.75,1.2;131072
arcee-blitz;.45,.75
arliai/qwq-32b-arliai-rpr-v1:free
baidu/ernie-4.5-vl-424b-a47b;.42,1.25;123000
bytedance-research/ui-tars-72b:free
bytedance-seed/seed-1.6;.25,2;262144
/seed-1.6-flash;.075,.3;262144
/seed-2.0-lite;.25,2;262144
/seed-2.0-mini;.1,.4;262144
bytedance/ui-tars-1.5-7b;.1,.2;128000
caller-large;.55,.85
chatgpt-4o-latest;5,15
claude-2;8,24;;;=&.0 =&.0:beta =&.1 =&.1:beta =&:beta
claude-3-opus;15,75,,;;;=&:beta
claude-3-sonnet;3,15,,;;;=&:beta
claude-3.5-sonnet;3,15,,;;;=&-20240620 =&-20240620:beta =&:beta
claude-3.7-sonnet;3,15,,;;;=&:beta =&:thinking
codellama-7b-instruct-solidity;.8,1.2
codestral-2501;.3,.9
codex-mini;1.5,6,.375
cognitivecomputations/dolphin-mistral-24b-venice-edition:free
/dolphin-mixtral-8x22b;.9,.9
/dolphin-mixtral-8x7b;.5,.5
/dolphin3.0-mistral-24b:free
/dolphin3.0-r1-mistral-24b:free
cohere/command;1,2
/command-a;2.5,10;256000
/command-r;.5,1.5;;;=&-03-2024
/command-r-08-2024;.15,.6;128000
/command-r-plus;3,15;;;=&-04-2024
/command-r-plus-08-2024;2.5,10;128000
/command-r7b-12-2024;.0375,.15;128000
command;1,2
command-r;.5,1.5;;;=&-03-2024
command-r-plus;3,15;;;=&-04-2024
deepcoder-14b-preview:free
deepcogito/cogito-v2.1-671b;1.25,1.25
deephermes-3-llama-3-8b-preview:free
deepseek-chat-v3-0324:free
deepseek-chat:free
deepseek-prover-v2;.5,2.18
deepseek-r1-0528-qwen3-8b;.05,.1
deepseek-r1-0528-qwen3-8b:free
deepseek-r1-0528:free
deepseek-r1-distill-llama-70b:free
deepseek-r1-distill-llama-8b;.04,.04
deepseek-r1-distill-qwen-1.5b;.18,.18
deepseek-r1-distill-qwen-14b;.15,.15
deepseek-r1-distill-qwen-14b:free
deepseek-r1-distill-qwen-32b:free
deepseek-r1-distill-qwen-7b;.1,.2
deepseek-r1:free
deepseek-r1t-chimera:free
deepseek-v3-base:free
deepseek/deepseek-chat;.38,.89
/deepseek-chat-v3-0324;.3,.88;163840
/deepseek-chat-v3-0324:free
/deepseek-chat-v3.1;.21,.79,.13
/deepseek-chat:free
/deepseek-r1;.45,2.15;64000
/deepseek-r1-0528;.5,2.15
/deepseek-r1-distill-llama-70b;.1,.4;8192
/deepseek-r1-distill-llama-70b:free
/deepseek-r1-distill-llama-8b;.04,.04
/deepseek-r1-distill-qwen-1.5b;.18,.18
/deepseek-r1-distill-qwen-14b;.15,.15
/deepseek-r1-distill-qwen-14b:free
/deepseek-r1-distill-qwen-32b;.12,.18
/deepseek-r1-distill-qwen-32b:free
/deepseek-r1-zero:free
/deepseek-r1:free
/deepseek-v3-base:free
/deepseek-v3.1-terminus;.23,.9;163840
/deepseek-v3.2;.2288,.3432
/deepseek-v3.2-exp;.27,.41;163840
/deepseek-v4-flash;.0983,.1966,.0197
/deepseek-v4-pro;.435,.87,.003625
devstral-small;.06,.12
devstral-small:free
dobby-mini-unhinged-plus-llama-3.1-8b;.2,.2
dolphin-mixtral-8x22b;.9,.9
dolphin3.0-mistral-24b:free
dolphin3.0-r1-mistral-24b:free
eleutherai/llemma_7b;.8,1.2
essentialai/rnj-1-instruct;.15,.15
eva-llama-3.33-70b;4,6
eva-qwen-2.5-32b;2.6,3.4
eva-qwen-2.5-72b;4,6
eva-unit-01/eva-llama-3.33-70b;4,6
/eva-qwen-2.5-32b;2.6,3.4
/eva-qwen-2.5-72b;.9,1.2
featherless/qwerky-72b:free
fimbulvetr-11b-v2;.8,1.2
gemini-2.0-flash-001;.1,.4,.025,.1833
gemini-2.0-flash-exp:free
gemini-2.0-flash-lite-001;.075,.3
gemini-2.5-flash-lite-preview-06-17;.1,.4
gemini-2.5-flash-preview;.15,.6,.0375,.2333;;;=&-05-20
gemini-2.5-flash-preview-05-20:thinking;.15,3.5,.0375,.2333
gemini-2.5-flash-preview:thinking;.15,3.5,.0375,.2333
gemini-2.5-pro-exp-03-25
gemini-flash-1.5;.075,.3,.01875,.1583
gemini-flash-1.5-8b;.0375,.15,.01,.0583
gemini-pro-1.5;1.25,5
gemma-2-9b-it;.2,.2
gemma-2-9b-it:free
gemma-3-12b-it:free
gemma-3-27b-it:free
gemma-3-4b-it:free
gemma-3n-e4b-it:free
glm-4-32b;.24,.24
glm-4-32b:free
glm-4.5-air:free
glm-5v-turbo;1.2,4,.24
glm-z1-32b;.24,.24
glm-z1-32b:free
glm-z1-rumination-32b;.24,.24
goliath-120b;10,12.5
google/gemini-2.0-flash-001;.1,.4
/gemini-2.0-flash-exp:free
/gemini-2.0-flash-lite-001;.075,.3
/gemini-2.0-flash-thinking-exp-1219:free
/gemini-2.0-flash-thinking-exp:free
/gemini-2.5-flash;.3,2.5,.075,.3833;1048576
/gemini-2.5-flash-image;.3,2.5,,.08333333333333334;32768
/gemini-2.5-flash-lite;.1,.4,,.08333333333333334;1048576
/gemini-2.5-flash-lite-preview-09-2025;.1,.4
/gemini-2.5-flash-preview;.15,.6
/gemini-2.5-flash-preview-09-2025;.3,2.5,.075,.383
/gemini-2.5-flash-preview:thinking;.15,3.5
/gemini-2.5-pro;1.25,10,.31,1.625;1048576;;=&-preview =&-preview-05-06
/gemini-2.5-pro-exp-03-25:free
/gemini-2.5-pro-preview-03-25;1.25,10
/gemini-3-flash-preview;.5,3,,.08333333333333334;1048576
/gemini-3-pro-image-preview;2,12,,.375;65536
/gemini-3.1-flash-image-preview;.5,3;65536
/gemini-3.1-flash-lite;.25,1.5,,.08333333333333334;1048576;;=&-preview
/gemini-3.1-pro-preview;2,12,,.375;1048576;;=&-customtools
/gemini-3.5-flash;1.5,9,,.08333333333333334;1048576;;/^&-\\d{8}$
/gemini-flash-1.5;.075,.3
/gemini-flash-1.5-8b;.0375,.15
/gemini-flash-1.5-8b-exp
/gemini-pro;.5,1.5;;;=&-vision
/gemini-pro-1.5;1.25,5
/gemma-2-27b-it;.8,.8;8192
/gemma-2-9b-it;.07,.07
/gemma-2-9b-it:free
/gemma-3-12b-it;.05,.1;131072
/gemma-3-12b-it:free
/gemma-3-1b-it:free
/gemma-3-27b-it;.1,.2
/gemma-3-27b-it:free
/gemma-3-4b-it;.02,.04;131072
/gemma-3-4b-it:free
/gemma-3n-e4b-it;.06,.12
/gemma-4-26b-a4b-it;.06,.33
/gemma-4-26b-a4b-it:free;;262144
/gemma-4-31b-it;.12,.36,.09 .09,.34,.05@2026-08-27;262144
/gemma-4-31b-it:free;;262144
/learnlm-1.5-pro-experimental:free
/lyria-3-clip-preview;;1048576
/lyria-3-pro-preview;;1048576
/palm-2-chat-bison;1,2;;;=&-32k
/palm-2-codechat-bison;1,2;;;=&-32k
gpt-3.5-turbo-1106;1,2
gpt-4-1106-preview;10,30
gpt-4.5-preview;75,150,37.5
gpt-4o:extended;6,18
grok-2-1212;2,10
grok-2-vision-1212;2,10
grok-3;3,15,.75;;;=&-beta
grok-3-mini;.3,.5,.075;;;=&-beta
grok-beta;5,15
grok-vision-beta;5,15
gryphe/mythomax-l2-13b;.065,.065
hermes-2-pro-llama-3-8b;.025,.04
huggingfaceh4/zephyr-7b-beta:free
ibm-granite/granite-4.0-h-micro;.017,.112;131000
/granite-4.1-8b;.05,.1;131072
inception/mercury-2;.25,.75,;128000
inclusionai/ling-2.6-1t;.075,.625,.015
/ling-2.6-flash;.01,.03,.002
/ring-2.6-1t;.075,.625,.015
infermatic/mn-inferor-12b;.8,1.2
inflection/inflection-3-pi;2.5,10
/inflection-3-productivity;2.5,10
internvl3-14b:free
internvl3-2b:free
jamba-1.6-large;2,8
jamba-1.6-mini;.2,.4
jondurbin/airoboros-l2-70b;.5,.5
kimi-dev-72b:free
kimi-vl-a3b-thinking:free
kwaipilot/kat-coder-pro-v2;.3,1.2,.06
l3-euryale-70b;1.48,1.48
latitudegames/wayfarer-large-70b-llama-3.3;.8,.9
lfm-3b;.02,.02
lfm-40b;.15,.15
lfm-7b;.01,.01
liquid/lfm-2-24b-a2b;.03,.12
/lfm-2.5-1.2b-instruct:free
/lfm-2.5-1.2b-thinking:free
/lfm-3b;.02,.02
/lfm-40b;.15,.15
/lfm-7b;.01,.01
llama-3-lumimaid-70b;4,6
llama-3-lumimaid-8b;.2,1.25
llama-3.1-405b;2,2
llama-3.1-405b-instruct;.8,.8
llama-3.1-8b-instruct:free
llama-3.1-lumimaid-70b;2.5,3
llama-3.1-lumimaid-8b;.2,1.25
llama-3.1-nemotron-70b-instruct;.12,.3
llama-3.1-nemotron-ultra-253b-v1;.6,1.8
llama-3.1-nemotron-ultra-253b-v1:free
llama-3.1-sonar-large-128k-online;1,1
llama-3.1-sonar-small-128k-online;.2,.2
llama-3.2-11b-vision-instruct:free
llama-3.2-1b-instruct:free
llama-3.2-90b-vision-instruct;1.2,1.2
llama-3.3-8b-instruct:free
llama-3.3-nemotron-super-49b-v1;.13,.4
llama-3.3-nemotron-super-49b-v1:free
llama-4-maverick:free
llama-4-scout:free
llama-guard-2-8b;.2,.2
llama3.1-typhoon2-70b-instruct;.88,.88
llemma_7b;.8,1.2
maestro-reasoning;.9,3.3
magistral-medium-2506;2,5;;;=&:thinking
magistral-small-2506;.5,1.5
magnum-72b;4,6
magnum-v2-72b;3,3
mai-ds-r1:free
mancer/weaver;1.125,1.125;8000
mercury-coder-small-beta;.25,1
meta-llama/llama-2-13b-chat;.22,.22
/llama-2-70b-chat;.9,.9
/llama-3-70b-instruct;.3,.4
/llama-3-8b-instruct;.03,.06
/llama-3.1-405b;2,2
/llama-3.1-405b-instruct;.8,.8
/llama-3.1-405b:free
/llama-3.1-70b-instruct;.1,.28;131072
/llama-3.1-8b-instruct;.02,.03
/llama-3.1-8b-instruct:free
/llama-3.2-11b-vision-instruct;.049,.049
/llama-3.2-11b-vision-instruct:free
/llama-3.2-1b-instruct;.005,.01;60000
/llama-3.2-1b-instruct:free
/llama-3.2-3b-instruct;.01,.02
/llama-3.2-3b-instruct:free
/llama-3.2-90b-vision-instruct;.9,.9
/llama-3.3-70b-instruct;.05,.24
/llama-3.3-70b-instruct:free
/llama-4-maverick;.15,.6
/llama-4-maverick:free
/llama-4-scout;.08,.3
/llama-4-scout:free
/llama-guard-2-8b;.2,.2
/llama-guard-3-8b;.02,.06
/llama-guard-4-12b;.05,.05;163840
microsoft/phi-3-medium-128k-instruct;1,1
/phi-3-mini-128k-instruct;.1,.1
/phi-3.5-mini-128k-instruct;.1,.1
/phi-4;.07,.14;16384
/phi-4-mini-instruct;.08,.35
/phi-4-multimodal-instruct;.05,.1
/wizardlm-2-7b;.07,.07
/wizardlm-2-8x22b;.5,.5;65535
midnight-rose-70b;.8,.8
minimax-m1:extended;.55,2.2
minimax/minimax-01;.2,1.1;1000192
/minimax-m1;.3,1.65;1000000
/minimax-m2;.255,1,.03
/minimax-m2-her;.3,1.2,;65536;;=&-20260123
/minimax-m2.1;.29,.95,.03;204800
/minimax-m2.5;.15,.9,.05;;;=&-20260211
/minimax-m2.7;.27,1.08,.054;;;=&-20260318
/minimax-m3;.3,1.2,.06;;;=&-20260531
ministral-3b;.04,.04
ministral-8b;.1,.1
mistral-7b-instruct;.028,.054;;;=&-v0.3
mistral-7b-instruct-v0.1;.11,.19
mistral-7b-instruct-v0.2;.2,.2
mistral-7b-instruct:free
mistral-medium;2.75,8.1
mistral-nemo:free
mistral-small;.2,.6
mistral-small-24b-instruct-2501:free
mistral-small-3.1-24b-instruct:free
mistral-small-3.2-24b-instruct:free
mistral-tiny;.25,.25
mistral/ministral-8b;.1,.1
mistralai/codestral-2501;.3,.9
/codestral-2508;.3,.9,;256000
/codestral-mamba;.25,.25
/devstral-2512;.4,2,;262144
/ministral-14b-2512;.2,.2,;262144
/ministral-3b;.04,.04
/ministral-3b-2512;.1,.1,;131072
/ministral-8b;.1,.1
/ministral-8b-2512;.15,.15,;262144
/mistral-7b-instruct;.029,.059;;;=&-v0.3
/mistral-7b-instruct-v0.1;.2,.2
/mistral-7b-instruct-v0.2;.2,.2
/mistral-7b-instruct:free
/mistral-large;2,6;128000;;=&-2407 =mistral-large-2411
/mistral-large-2512;.5,1.5,;262144
/mistral-medium;2.75,8.1
/mistral-medium-3;.4,2;131072
/mistral-medium-3-5;1.5,7.5;262144
/mistral-medium-3.1;.4,2,;131072
/mistral-nemo;.01,.019
/mistral-nemo:free
/mistral-saba;.2,.6;32768
/mistral-small;.2,.6
/mistral-small-24b-instruct-2501;.05,.09;32768
/mistral-small-24b-instruct-2501:free
/mistral-small-2603;.15,.6,
/mistral-small-3.1-24b-instruct;.05,.15;128000
/mistral-small-3.1-24b-instruct:free
/mistral-small-3.2-24b-instruct;.075,.2
/mistral-tiny;.25,.25
/mixtral-8x22b-instruct;.9,.9;65536
/mixtral-8x7b-instruct;.24,.24
/pixtral-12b;.1,.1
/pixtral-large-2411;2,6
/voxtral-small-24b-2507;.1,.3,;32000
mixtral-8x7b-instruct;.08,.24
mn-celeste-12b;.8,1.2
mn-inferor-12b;.8,1.2
mn-starcannon-12b;.8,1.2
moonshotai/kimi-k2;.57,2.3;131072
/kimi-k2-0905;.6,2.5;262144
/kimi-k2-thinking;.6,2.5;262144
/kimi-k2.5;.4,1.9,.09
/kimi-k2.6;.68,3.41,.34
/kimi-k2.6:free
/kimi-k2.7-code;.75,3.5,.16;262144;;=&-20260612
/kimi-k3;3,15,;1048576;;=&-20260715
/kimi-vl-a3b-thinking:free
/moonlight-16b-a3b-instruct:free
morph/morph-v3-fast;.8,1.2;81920
/morph-v3-large;.9,1.9;262144
mythalion-13b;.8,1.2
neversleep/llama-3-lumimaid-70b;3.375,4.5
/llama-3-lumimaid-8b;.09375,.75;;;=&:extended
/llama-3.1-lumimaid-70b;1.5,2.25
/llama-3.1-lumimaid-8b;.09375,.75
/noromaid-20b;.75,1.5
nex-agi/nex-n2-pro:free
noromaid-20b;1.25,2
nothingiisreal/mn-celeste-12b;.8,1.2
nous-hermes-2-mixtral-8x7b-dpo;.6,.6
nousresearch/deephermes-3-llama-3-8b-preview:free
/hermes-2-pro-llama-3-8b;.025,.04
/hermes-3-llama-3.1-405b;.7,.8;131072
/hermes-3-llama-3.1-405b:free
/hermes-3-llama-3.1-70b;.12,.3;131072
/hermes-4-405b;1,3;131072
/hermes-4-70b;.13,.4;131072
/nous-hermes-2-mixtral-8x7b-dpo;.6,.6
/nous-hermes-llama2-13b;.18,.18
nvidia/llama-3.1-nemotron-70b-instruct;.12,.3
/llama-3.1-nemotron-70b-instruct:free
/llama-3.1-nemotron-nano-8b-v1:free
/llama-3.1-nemotron-ultra-253b-v1:free
/llama-3.3-nemotron-super-49b-v1.5;.4,.4
/llama-3.3-nemotron-super-49b-v1:free
/nemotron-3-nano-30b-a3b;.05,.2;262144
/nemotron-3-nano-30b-a3b:free
/nemotron-3-nano-omni-30b-a3b-reasoning:free;;256000
/nemotron-3-super-120b-a12b;.09,.45
/nemotron-3-super-120b-a12b:free;;262144
/nemotron-3-ultra-550b-a55b;.5,2.5,.15
/nemotron-3-ultra-550b-a55b:free;;1000000
/nemotron-3.5-content-safety:free;;128000
/nemotron-nano-12b-v2-vl:free
/nemotron-nano-9b-v2;.04,.16
/nemotron-nano-9b-v2:free
o1-mini;1.1,4.4,.55;;;=&-2024-09-12
open-r1/olympiccoder-32b:free
/olympiccoder-7b:free
openai/chatgpt-4o-latest;5,15
/codex-mini;1.5,6,.375
/gpt-3.5-turbo;.5,1.5;16385;;=gpt-3.5-turbo-0125
/gpt-3.5-turbo-0613;1,2;4095
/gpt-3.5-turbo-1106;1,2
/gpt-3.5-turbo-16k;3,4;16385
/gpt-3.5-turbo-instruct;1.5,2;4095
/gpt-4;30,60;8191;;=gpt-4-0314
/gpt-4-1106-preview;10,30
/gpt-4-32k;60,120;;;=&-0314
/gpt-4-turbo;10,30;128000;;=&-preview
/gpt-4.1;2,8,.5;1047576
/gpt-4.1-mini;.4,1.6,.1;1047576;;=&-2025-04-14
/gpt-4.1-nano;.1,.4,.025;1047576
/gpt-4.5-preview;75,150
/gpt-4o;2.5,10;128000;;=&-2024-08-06 =&-2024-11-20 =&-audio-preview
/gpt-4o-2024-05-13;5,15;128000
/gpt-4o-mini;.15,.6,.075;128000;;=&-2024-07-18
/gpt-4o-mini-search-preview;.15,.6
/gpt-4o-search-preview;2.5,10
/gpt-4o:extended;6,18
/gpt-5;1.25,10,;400000;;=&-2025-08-07 =&-chat =&-codex =&.1-codex-max
/gpt-5-image;10,10,1.25;400000
/gpt-5-image-mini;2.5,2,;400000
/gpt-5-mini;.25,2,;400000;;=&-2025-08-07
/gpt-5-nano;.05,.4,.01;400000
/gpt-5-pro;15,120;400000
/gpt-5.1;1.25,10,.13;400000;;=&-chat =&-codex
/gpt-5.1-codex-mini;.25,2,;400000;;=&-20251113
/gpt-5.2;1.75,14,;400000;;=&-20251211 =&-chat =&-codex
/gpt-5.2-pro;21,168;400000;;=&-20251211
/gpt-5.3-chat;1.75,14,
/gpt-5.3-codex;1.75,14,;400000;;=&-20260224
/gpt-5.4;2.5,15,>272000,5,22.5,;1050000;;=&-20260305
/gpt-5.4-image-2;8,15,2;272000
/gpt-5.4-mini;.75,4.5,;400000
/gpt-5.4-nano;.2,1.25,;400000
/gpt-5.4-pro;30,180>272000,60,270;1050000
/gpt-5.5;5,30,>272000,10,45,;1050000
/gpt-5.5-pro;30,180>272000,60,270;1050000
/gpt-5.6-luna;.2,1.2,,>272000,.4,1.8,,;1050000;;/^&-\\d{8}$
/gpt-5.6-sol;2,10,,>272000,4,15,,;1050000;;/^&-\\d{8}$
/gpt-5.6-terra;2,12,,>272000,4,18,,;1050000;;/^&-\\d{8}$
/gpt-6-luna;.1,.5,,>272000,.2,.75,,;1050000;;=&-pro /^&-\\d{8}$
/gpt-6-luna:batch;.05,.25,,>272000,.1,.375,,;1050000;;=openai/gpt-6-luna-pro:batch
/gpt-6-sol;2,10,,>272000,4,15,,;1050000;;=&-pro /^&-\\d{8}$
/gpt-6-sol:batch;1,5,,>272000,2,7.5,,;1050000;;=openai/gpt-6-sol-pro:batch
/gpt-audio;2.5,10;128000
/gpt-audio-mini;.6,2.4;128000
/gpt-chat-latest;5,30,;400000
/gpt-oss-120b;.039,.18
/gpt-oss-120b:free
/gpt-oss-20b;.029,.14;131072
/gpt-oss-20b:free
/gpt-oss-safeguard-20b;.075,.3,.037;131072
/o1;15,60,7.5;;;=o1-preview =o1-preview-2024-09-12
/o1-mini;1.1,4.4;;;=&-2024-09-12
/o1-pro;150,600;200000
/o3;2,8,.5;200000
/o3-deep-research;10,40,2.5
/o3-mini;1.1,4.4,.55;200000;;=&-high
/o3-pro;20,80;200000
/o4-mini;1.1,4.4,.275;200000;;=&-high
/o4-mini-deep-research;2,8,.5
openchat/openchat-7b;.07,.07
openhands-lm-32b-v0.1;2.6,3.4
perceptron/perceptron-mk1;.15,1.5;32768
perplexity/llama-3.1-sonar-large-128k-online;1,1
/llama-3.1-sonar-small-128k-online;.2,.2
/r1-1776;2,8
/sonar;1,1;127072
/sonar-deep-research;2,8;128000
/sonar-pro;3,15;200000
/sonar-reasoning;1,5
/sonar-reasoning-pro;2,8;128000
phi-3-medium-128k-instruct;1,1
phi-3-mini-128k-instruct;.1,.1
phi-3.5-mini-128k-instruct;.1,.1
phi-4-multimodal-instruct;.05,.1
phi-4-reasoning-plus;.07,.35
phi-4-reasoning-plus:free
phi-4-reasoning:free
pixtral-12b;.1,.1
pixtral-large-2411;2,6
poolside/laguna-m.1:free
/laguna-xs.2:free
prime-intellect/intellect-3;.2,1.1
pygmalionai/mythalion-13b;.5625,1.125
qwen-2-72b-instruct;.9,.9
qwen-2.5-72b-instruct:free
qwen-2.5-coder-32b-instruct:free
qwen-2.5-vl-7b-instruct;.2,.2
qwen-max;1.6,6.4,.64
qwen-turbo;.05,.2,.02
qwen-vl-max;.8,3.2
qwen-vl-plus;.21,.63
qwen/qwen-2-72b-instruct;.9,.9
/qwen-2.5-72b-instruct;.12,.39
/qwen-2.5-72b-instruct:free
/qwen-2.5-7b-instruct;.04,.1;32768
/qwen-2.5-7b-instruct:free
/qwen-2.5-coder-32b-instruct;.06,.15;32768
/qwen-2.5-coder-32b-instruct:free
/qwen-2.5-vl-72b-instruct;.6,.6
/qwen-2.5-vl-7b-instruct;.2,.2
/qwen-2.5-vl-7b-instruct:free
/qwen-max;1.6,6.4
/qwen-plus;.4,1.2,.16;1000000
/qwen-plus-2025-07-28;.26,.78;1000000
/qwen-plus-2025-07-28:thinking;.26,.78,?,
/qwen-turbo;.05,.2
/qwen-vl-max;.8,3.2
/qwen-vl-plus;.21,.63
/qwen2.5-coder-7b-instruct;.2,.2
/qwen2.5-vl-32b-instruct;.9,.9
/qwen2.5-vl-32b-instruct:free
/qwen2.5-vl-3b-instruct:free
/qwen2.5-vl-72b-instruct;.7,.7
/qwen2.5-vl-72b-instruct:free
/qwen3-14b;.06,.24
/qwen3-235b-a22b;.13,.6;131072
/qwen3-235b-a22b-2507;.09,.1
/qwen3-235b-a22b-thinking-2507;.1,.1
/qwen3-30b-a3b;.08,.29
/qwen3-30b-a3b-instruct-2507;.04815,.19305
/qwen3-30b-a3b-thinking-2507;.08,.4;81920
/qwen3-32b;.1,.3
/qwen3-8b;.035,.138;131072
/qwen3-coder;.22,1.8;;;=&-480b-a35b-07-25
/qwen3-coder-30b-a3b-instruct;.07,.27
/qwen3-coder-flash;.195,.975,.039,;1000000
/qwen3-coder-next;.11,.8,.07;;;=&-2025-02-03
/qwen3-coder-plus;.65,3.25,.13,;1000000
/qwen3-coder:free
/qwen3-max;1.2,6;262144
/qwen3-max-thinking;.78,3.9;262144;;=&-20260123
/qwen3-next-80b-a3b-instruct;.09,1.1;;;=&-2509
/qwen3-next-80b-a3b-instruct:free
/qwen3-next-80b-a3b-thinking;.0975,.78;;;=&-2509
/qwen3-vl-235b-a22b-instruct;.2,.88,.11
/qwen3-vl-235b-a22b-thinking;.26,2.6;131072
/qwen3-vl-30b-a3b-instruct;.13,.52
/qwen3-vl-30b-a3b-thinking;.13,1.56
/qwen3-vl-32b-instruct;.104,.416;131072
/qwen3-vl-8b-instruct;.08,.5
/qwen3-vl-8b-thinking;.117,1.365;131072
/qwen3.5-122b-a10b;.26,2.08;262144;;=&-20260224
/qwen3.5-27b;.195,1.56;262144;;=&-20260224
/qwen3.5-35b-a3b;.14,1,.05;;;=&-20260224
/qwen3.5-397b-a17b;.39,2.34;;;=&-20260216
/qwen3.5-9b;.1,.15;;;=&-20260310
/qwen3.5-flash-02-23;.065,.26;1000000;;=qwen/qwen3.5-flash-20260224
/qwen3.5-plus-02-15;.4,2.4;1000000;;=qwen/qwen3.5-plus-20260216
/qwen3.5-plus-20260420;.3,1.8,?,;1000000
/qwen3.6-27b;.289,2.4;;;=&-20260422
/qwen3.6-35b-a3b;.14,1;;;=&-20260415
/qwen3.6-flash;.1875,1.125,?,;1000000
/qwen3.6-max-preview;1.04,6.24,?,;262144;;=&-20260420
/qwen3.6-plus;.325,1.95,?,;1000000;;=&-04-02
/qwen3.7-max;1.25,3.75,.25,;1000000;;=&-20260520
/qwen3.7-plus;.4,1.6,.08,;1000000;;=&-20260602
/qwq-32b;.15,.2
/qwq-32b-preview;.2,.2
/qwq-32b-preview:free
/qwq-32b:free
qwen2.5-vl-32b-instruct;.9,.9
qwen2.5-vl-32b-instruct:free
qwen2.5-vl-72b-instruct:free
qwen3-14b:free
qwen3-235b-a22b:free
qwen3-30b-a3b:free
qwen3-32b:free
qwen3-8b:free
qwerky-72b:free
qwq-32b;.15,.2
qwq-32b-arliai-rpr-v1:free
qwq-32b-preview;.2,.2
qwq-32b:free
r1-1776;2,8
raifle/sorcererlm-8x22b;4.5,4.5
reka-flash-3:free
rekaai/reka-edge;.1,.1;16384
/reka-flash-3;.1,.2;65536
/reka-flash-3:free
relace/relace-apply-3;.85,1.25;256000
/relace-search;1,3;256000
sao10k/fimbulvetr-11b-v2;.8,1.2
/l3-euryale-70b;1.48,1.48
/l3-lunaris-8b;.02,.05;8192
/l3.1-70b-hanami-x1;3,3
/l3.1-euryale-70b;.7,.8
/l3.3-euryale-70b;.7,.8;131072
sarvam-m:free
scb10x/llama3.1-typhoon2-70b-instruct;.88,.88
/llama3.1-typhoon2-8b-instruct;.18,.18
shisa-ai/shisa-v2-llama3.3-70b:free
shisa-v2-llama3.3-70b:free
sonar-reasoning;1,5
sophosympatheia/midnight-rose-70b;.8,.8
/rogue-rose-103b-v0.2:free
sorcererlm-8x22b;4.5,4.5
spotlight;.18,.18
steelskull/l3.3-electra-r1-70b;.7,.95
stepfun/step-3.5-flash;.09,.3,.02;262144
/step-3.7-flash;.2,1.15,.04
switchpoint/router;.85,3.4
tencent/hunyuan-a13b-instruct;.14,.57;131072
/hy3-preview;.063,.21,.021;262144
thedrummer/anubis-pro-105b-v1;.8,1
/cydonia-24b-v4.1;.3,.5,.15;131072
/rocinante-12b;.25,.5
/skyfall-36b-v2;.5,.8;32768
/unslopnemo-12b;.5,.5
thudm/glm-4-32b:free
/glm-z1-32b:free
toppy-m-7b;.8,1.2
undi95/remm-slerp-l2-13b;.8,1.2;6144
/toppy-m-7b;.07,.07
upstage/solar-pro-3;.15,.6,;131072
valkyrie-49b-v1;.5,.8
virtuoso-medium-v2;.5,.8
writer/palmyra-x5;.6,6;1040000
x-ai/grok-2-1212;2,10
/grok-2-vision-1212;2,10
/grok-3-beta;3,15
/grok-3-mini-beta;.3,.5
/grok-4-fast;.2,.5,.05>128000,.4,1;2000000
/grok-4.1-fast:free;;2000000
/grok-4.20;1.25,2.5,.2;2000000
/grok-4.20-multi-agent;2,6,;2000000
/grok-4.3;1.25,2.5,.2;1000000;;/^&-\\d{8}$
/grok-beta;5,15
/grok-build-0.1;1,2,.2;256000
/grok-code-fast-1;.2,1.5,;256000
/grok-vision-beta;5,15
xiaomi/mimo-v2-flash;.1,.3,
/mimo-v2.5;.14,.28,.0028
/mimo-v2.5-pro;.435,.87,.0036
xwin-lm/xwin-lm-70b;3.75,3.75
yi-large;3,3
z-ai/glm-4.5;.6,2.2,.11;131072
/glm-4.5-air;.125,.85,.06;131072
/glm-4.5v;.6,1.8,.11;65536
/glm-4.6;.43,1.74,.08
/glm-4.6v;.3,.9,.05;131072
/glm-4.7;.4,1.75,.08
/glm-4.7-flash;.06,.4,.01;;;=&-20260119
/glm-5;.6,1.92,.12;;;=&-20260211
/glm-5-turbo;1.2,4,.24;202752;;=&-20260315
/glm-5.1;.98,3.08,.182;;;=&-20260406
/glm-5.2;1.4,4.4,.26;1048576;;=&-20260616
/glm-5.3;1.4,4.4,.26;1048576;;=&-20260816
/glm-5.3-flash;.075,.25,.015;1310720
~anthropic/claude-fable-latest;10,50,,;1000000
/claude-haiku-latest;1,5,,;200000
/claude-opus-latest;5,25,, 4,20,.2,@2026-09-22;1000000
/claude-sonnet-latest;3,15,,;1000000
~google/gemini-flash-latest;1.5,9,,.08333333333333334;1048576
/gemini-pro-latest;2,12,,.375;1048576
~moonshotai/kimi-latest;.68,3.41,.34;1048576
~openai/gpt-latest;5,30,;1050000
/gpt-mini-latest;.75,4.5,;400000`,
  "x-ai": `grok-2-1212;2,10;32768;%;=grok-2 =grok-2-latest;1
grok-2-vision-1212;2,10;32768;%;=grok-2-vision =grok-2-vision-latest
grok-3;3,15,.75;131072;%;=&-latest =&-beta
grok-3-fast;5,25,1.25;131072;%;=&-latest =&-beta
grok-3-mini;.3,.5,.075;131072;%;=&-beta =&-latest
grok-3-mini-fast;.6,4,.15;131072;%;=&-beta =&-latest
grok-4-0709;3,15,.75;256000;Grok 4;=grok-4 =grok-4-latest
grok-4-1-fast-non-reasoning;.2,.5,.05;2000000;Grok 4.1 Fast Non-Reasoning;=&-latest
grok-4-1-fast-reasoning;.2,.5,.05;2000000;%;=grok-4-1-fast =&-latest
grok-4-fast-non-reasoning;.2,.5,.05;2000000;Grok 4 Fast Non-Reasoning;=&-latest
grok-4-fast-reasoning;.2,.5,.05;2000000;%;=grok-4-fast =&-latest
grok-4.20;1.25,2.5,.2>199999,2.5,5,.4;1000000;%
grok-4.20-multi-agent;2,6,;1000000;Grok 4.20 Multi-Agent
grok-4.3;1.25,2.5,.2>199999,2.5,5,.4;1000000;%;/^&-\\d{8}$ =x-ai/& /^x-ai/&-\\d{8}$ =&-latest
grok-4.5;2,6,.3>199999,4,12,.6;500000;%;/^&-\\d{8}$ =x-ai/& /^x-ai/&-\\d{8}$ =&-latest =grok-latest
grok-4.6;2,6,.5>199999,4,12,1;500000;%;/^&-\\d{8}$ =x-ai/& /^x-ai/&-\\d{8}$ =&-latest
grok-build-0.1;1,2,.2>199999,2,4,.4;256000;%
grok-code-fast-1;.2,1.5,;256000;%;=grok-code-fast =&-0825`,
  "zai": `GLM-5.2;1.4,4.4,.26;1000000;&
GLM-5.3;1.4,4.4,.26;1000000;&
GLM-5.3-Flash;.075,.25,.015;1000000;&`,
  "perplexity": `llama-3.1-sonar-large-128k-online;1,1;;Llama 3.1 Sonar 70B Online
llama-3.1-sonar-small-128k-online;.2,.2;;Llama 3.1 Sonar 8B Online
r1-1776;2,8;;%
sonar;1,1;128000;%
sonar-deep-research;2,8;128000;%
sonar-pro;3,15;200000;%
sonar-pro-search;3,15;;%
sonar-reasoning;1,5;;%
sonar-reasoning-pro;2,8;128000;%`,
  "together": `Austism/chronos-hermes-13b;.3,.3
Gryphe/MythoMax-L2-13b;.3,.3
Nexusflow/NexusRaven-V2-13B;.3,.3
NousResearch/Nous-Capybara-7B-V1p9;.2,.2
/Nous-Hermes-2-Mixtral-8x7B-DPO;.9,.9
/Nous-Hermes-2-Mixtral-8x7B-SFT;.9,.9
/Nous-Hermes-2-Yi-34B;.8,.8
/Nous-Hermes-Llama2-13b;.225,.225
/Nous-Hermes-llama-2-7b;.2,.2
Open-Orca/Mistral-7B-OpenOrca;.2,.2
Qwen/Qwen1.5-0.5B;.1,.1;;;=&-chat
/Qwen1.5-1.8B;.1,.1;;;=&-chat
/Qwen1.5-14B;.3,.3;;;=&-chat
/Qwen1.5-4B;.1,.1;;;=&-chat
/Qwen1.5-72B;.9,.9
/Qwen1.5-7B;.2,.2;;;=&-chat
Undi95/ReMM-SLERP-L2-13B;.3,.3
/Toppy-M-7B;.2,.2
WizardLM/WizardLM-13B-V1.2;.3,.3
allenai/OLMo-7B;.2,.2;;;=&-instruct =&-twin-2t
codellama/CodeLlama-13b-Instruct-hf;.225,.225
/CodeLlama-34b-Instruct-hf;.776,.776
/CodeLlama-70b-Instruct-hf;.9,.9
/CodeLlama-7b-Instruct-hf;.2,.2
deepseek-ai/deepseek-coder-33b-instruct;.8,.8
garage-bAInd/Platypus2-70B-instruct;.9,.9
google/gemma-2b;.1,.1;;;=&-it
/gemma-7b;.2,.2;;;=&-it
lmsys/vicuna-13b-v1.5;.3,.3
/vicuna-7b-v1.5;.2,.2
meta-llama/Llama-2-13b-chat-hf;.225,.225
/Llama-2-70b-chat-hf;.9,.9
/Llama-2-7b-chat-hf;.2,.2
/Llama-3-70b-chat-hf;.9,.9
/Llama-3-8b-chat-hf;.2,.2
/Llama-3.3-70B-Instruct-Turbo;.88,.88
/Llama-4-Maverick-17B-128E-Instruct-FP8;.27,.85
/Llama-4-Scout-17B-16E-Instruct;.18,.59
/Meta-Llama-3-70B-Instruct-Lite;.54,.54
/Meta-Llama-3-70B-Instruct-Turbo;.88,.88
/Meta-Llama-3-8B-Instruct-Lite;.1,.1
/Meta-Llama-3-8B-Instruct-Turbo;.18,.18
/Meta-Llama-3.1-405B-Instruct-Turbo;3.5,3.5
/Meta-Llama-3.1-70B-Instruct-Turbo;.88,.88
/Meta-Llama-3.1-8B-Instruct-Turbo;.18,.18
/Meta-Llama-3.3-70B-Instruct-Turbo;.88,.88
microsoft/WizardLM-2-8x22B;1.2,1.2
/phi-2;.1,.1
mistralai/Mistral-7B-Instruct-v0.1;.2,.2
/Mistral-7B-Instruct-v0.2;.2,.2
/Mistral-7B-v0.1;.2,.2
/Mixtral-8x22B-Instruct-v0.1;2.4,2.4
/Mixtral-8x7B-Instruct-v0.1;.9,.9
/Mixtral-8x7B-v0.1;.9,.9
openchat/openchat-3.5-1210;.2,.2
snorkelai/Snorkel-Mistral-PairRM-DPO;.2,.2
teknium/OpenHermes-2-Mistral-7B;.2,.2
/OpenHermes-2p5-Mistral-7B;.2,.2
togethercomputer/GPT-JT-Moderation-6B;.2,.2
/Llama-2-7B-32K-Instruct;.2,.2
/RedPajama-INCITE-7B-Base;.2,.2
/RedPajama-INCITE-7B-Chat;.2,.2
/RedPajama-INCITE-7B-Instruct;.2,.2
/RedPajama-INCITE-Base-3B-v1;.1,.1
/RedPajama-INCITE-Chat-3B-v1;.1,.1
/RedPajama-INCITE-Instruct-3B-v1;.1,.1
/StripedHyena-Hessian-7B;.2,.2
/StripedHyena-Nous-7B;.2,.2
/alpaca-7b;.2,.2
upstage/SOLAR-10.7B-Instruct-v1.0;.3,.3
zero-one-ai/Yi-34B;.8,.8
/Yi-6B;.2,.2`,
};
