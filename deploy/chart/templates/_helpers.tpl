{{- define "steppe.name" -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}

{{- define "steppe.labels" -}}
app.kubernetes.io/name: steppe
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Takes the chart's values and a role: what the pods of the role are found by. */}}
{{- define "steppe.selector" -}}
app.kubernetes.io/name: steppe
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "steppe.image" -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}

{{- define "steppe.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
{{- end }}

{{- define "steppe.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "steppe.settings" -}}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{- define "steppe.volumeMounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Takes the chart's values and a size: scratch of that size, and a little for everything else. */}}
{{- define "steppe.volumes" -}}
- name: data
  emptyDir: { sizeLimit: {{ .scratch }} }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The roles of workers, each with its values: those of blocks are apart where they are asked for. */}}
{{- define "steppe.workers" -}}
worker: {{ toJson .Values.worker }}
{{- if .Values.blocks.enabled }}
blocks: {{ toJson (merge (deepCopy .Values.blocks) .Values.worker) }}
{{- end }}
{{- end }}

{{- define "steppe.workflowEngineUrl" -}}
{{- if .Values.temporal.enabled -}}
temporal://{{ include "steppe.name" . }}-temporal:{{ .Values.workflowEngine.port }}/?namespace=steppe
{{- else -}}
{{ .Values.workflowEngine.url }}
{{- end }}
{{- end }}

{{- define "steppe.temporalSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}
