package io.frameloom.rdg.tools.file;

import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.PlanDerivation;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.explain.PlacementReasons;
import io.frameloom.rdg.explain.WaitChains;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the object {@code plan} of a plan's JSON: what the compiler decided, and why. */
public final class CompiledPlanJson {
    private final FramePlan plan;
    private final WaitChains chains;
    private final String[] passIds;
    private final String[] resourceIds;

    public CompiledPlanJson(FramePlan plan, String[] passIds, String[] resourceIds) {
        this.plan = plan;
        this.chains = new WaitChains(plan);
        this.passIds = passIds;
        this.resourceIds = resourceIds;
    }

    public void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        culled(json);
        levels(json);
        batches(json);
        syncs(json, "syncs", true);
        syncs(json, "culledSyncs", false);
        culledSyncsBy(json);
        waits(json);
        epochs(json);
        barriers(json);
        placement(json);
        recordGroups(json);
        json.writeEndObject();
    }

    private void culled(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("culled");
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                json.writeString(passIds[pass.index()]);
            }
        }
        json.writeEndArray();
        json.writeObjectFieldStart("cullReasons");
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                json.writeStringField(passIds[pass.index()], pass.cullReason());
            }
        }
        json.writeEndObject();
    }

    private void levels(JsonGenerator json) throws IOException {
        int count = 0;
        json.writeObjectFieldStart("levels");
        for (PassPlan pass : plan.passes()) {
            if (pass.level() >= 0) {
                json.writeNumberField(passIds[pass.index()], pass.level());
                count = Math.max(count, pass.level() + 1);
            }
        }
        json.writeEndObject();
        json.writeNumberField("levelCount", count);
    }

    private void batches(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("batches");
        for (int q = 0; q < plan.queues().queues().size(); q++) {
            json.writeArrayFieldStart(plan.queues().queues().get(q).name());
            for (Batch batch : plan.batches()) {
                if (batch.queue() == q) {
                    passes(json, batch.passes());
                }
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void syncs(JsonGenerator json, String name, boolean waited) throws IOException {
        json.writeArrayFieldStart(name);
        for (Dependency dependency : plan.dependencies()) {
            if (dependency.crossQueue() && dependency.waited() == waited) {
                passes(json, List.of(dependency.from(), dependency.to()));
            }
        }
        json.writeEndArray();
    }

    /** Of each of the culled waits those that imply it, in the same order. */
    private void culledSyncsBy(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("culledSyncsBy");
        for (Dependency dependency : plan.dependencies()) {
            if (dependency.crossQueue() && !dependency.waited()) {
                json.writeStartArray();
                for (WaitChains.Wait wait : chains.implying(dependency)) {
                    passes(json, List.of(wait.from(), wait.to()));
                }
                json.writeEndArray();
            }
        }
        json.writeEndArray();
    }

    private void waits(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("waits");
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                json.writeStartObject();
                json.writeNumberField("batch", batch.index());
                json.writeNumberField("for", wait.batch());
                json.writeStringField("stages", PipelineStage.describe(wait.stages()));
                json.writeStringField("reason", wait.reason());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private void epochs(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("epochs");
        for (PlanDerivation.Epoch epoch : plan.epochs()) {
            json.writeStartObject();
            json.writeStringField("r", resourceIds[epoch.resource()]);
            range(json, epoch.range(), epoch.offset(), epoch.bytes());
            json.writeBooleanField("write", epoch.write());
            json.writeStringField("layout", epoch.layout().name());
            json.writeFieldName("passes");
            passes(json, epoch.passes());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void barriers(JsonGenerator json) throws IOException {
        json.writeNumberField("barrierCount", plan.barrierCount());
        json.writeArrayFieldStart("barriers");
        for (PassPlan pass : plan.passes()) {
            for (PlanBarrier barrier : pass.before()) {
                barrier(json, "before", pass, barrier);
            }
            for (PlanBarrier barrier : pass.after()) {
                barrier(json, "after", pass, barrier);
            }
        }
        json.writeEndArray();
    }

    private void barrier(JsonGenerator json, String where, PassPlan pass, PlanBarrier barrier) throws IOException {
        json.writeStartObject();
        json.writeStringField(where, passIds[pass.index()]);
        json.writeStringField("r", resourceIds[barrier.resource()]);
        range(json, barrier.range(), barrier.offset(), barrier.bytes());
        json.writeStringField("from", barrier.oldLayout().name());
        json.writeStringField("to", barrier.newLayout().name());
        json.writeStringField(
                "srcStages", PipelineStage.describe(barrier.scope().srcStages()));
        json.writeStringField("srcAccess", MemoryAccess.describe(barrier.scope().srcAccess()));
        json.writeStringField(
                "dstStages", PipelineStage.describe(barrier.scope().dstStages()));
        json.writeStringField("dstAccess", MemoryAccess.describe(barrier.scope().dstAccess()));
        if (barrier.ownership() != null) {
            json.writeNumberField("fromFamily", barrier.ownership().from());
            json.writeNumberField("toFamily", barrier.ownership().to());
        }
        json.writeBooleanField("allMemory", barrier.allMemory());
        split(json, barrier.split());
        json.writeStringField("reason", barrier.reason());
        json.writeEndObject();
    }

    /** The pass behind which the first half is, or why there is none; nothing where nobody asked. */
    private void split(JsonGenerator json, @Nullable BarrierSplit split) throws IOException {
        if (split != null && split.begin() >= 0) {
            json.writeStringField("splitBehind", passIds[split.begin()]);
        } else if (split != null && split.refusal() != null) {
            json.writeStringField("whole", split.refusal().name());
        }
    }

    private static void range(JsonGenerator json, @Nullable SubresourceRange range, long offset, long bytes)
            throws IOException {
        json.writeArrayFieldStart("range");
        if (range != null) {
            json.writeNumber(range.baseMip());
            json.writeNumber(range.mipCount());
            json.writeNumber(range.baseLayer());
            json.writeNumber(range.layerCount());
            json.writeNumber(range.basePlane());
            json.writeNumber(range.planeCount());
        } else {
            json.writeNumber(offset);
            json.writeNumber(bytes);
        }
        json.writeEndArray();
    }

    private void placement(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("placement");
        for (ResourcePlan resource : plan.resources()) {
            if (resource.heap() >= 0) {
                json.writeStartObject();
                json.writeStringField("r", resourceIds[resource.index()]);
                json.writeNumberField("heap", resource.heap());
                json.writeNumberField("offset", resource.offset());
                json.writeNumberField("bytes", resource.bytes());
                if (PlacementReasons.areTold(plan)) {
                    json.writeStringField("reason", plan.placementReason(resource));
                }
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        long bound = 0;
        for (HeapPlan heap : plan.heaps()) {
            bound += heap.lowerBound();
        }
        json.writeNumberField("heapBytes", plan.heapBytes());
        json.writeNumberField("lowerBound", bound);
        json.writeNumberField("noAlias", plan.transientBytesWithoutAliasing());
    }

    private void recordGroups(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("recordGroups");
        for (RecordingGroup group : plan.recordingGroups()) {
            passes(json, group.passes());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("serialGroups");
        for (RecordingGroup group : plan.recordingGroups()) {
            if (group.serial()) {
                json.writeNumber(group.index());
            }
        }
        json.writeEndArray();
    }

    private void passes(JsonGenerator json, List<Integer> passes) throws IOException {
        json.writeStartArray();
        for (int pass : passes) {
            json.writeString(passIds[pass]);
        }
        json.writeEndArray();
    }
}
