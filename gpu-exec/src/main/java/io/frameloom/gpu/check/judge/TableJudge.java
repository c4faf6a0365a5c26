package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.SubmissionRecord.TableContents;
import io.frameloom.gpu.resource.Resource;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Judges what kernels take from bindless tables. That is known when they run, when later submissions have changed what
 * is known of the resources. So each read that a dispatch could do is judged at its submission, and what that finds is
 * reported if a kernel does it.
 */
final class TableJudge {
    private final ResourceTable resources;
    private final HostView host;
    private final HostJudge hosts;
    private final HazardSink report;
    private final IdentityHashMap<TableContents, Submission> pending = new IdentityHashMap<>();

    /**
     * A dispatch of which the host has not seen the end.
     *
     * @param findings what would be wrong, by what is read: slots of one resource may have different parts of it
     */
    private record Submission(
            Submitted at,
            String pass,
            Set<Resource> declared,
            Map<ResourceUse, Map<Found, Supplier<String>>> findings) {}

    TableJudge(ResourceTable resources, HostView host, HostJudge hosts, HazardSink report) {
        this.resources = resources;
        this.host = host;
        this.hosts = hosts;
        this.report = report;
    }

    void submitted(Submitted at, SubmissionRecord.TableUse use) {
        String name = use.pass();
        String pass = name == null ? "submission '" + at.record().label() + "'" : name;
        Set<Resource> declared = Collections.newSetFromMap(new IdentityHashMap<>());
        use.uses().forEach(each -> declared.add(each.resource()));
        Map<ResourceUse, Map<Found, Supplier<String>>> findings = new HashMap<>();
        for (ResourceUse read : use.contents().reads()) {
            Resource resource = read.resource();
            if (!declared.contains(resource) && resources.known(resource) != null) {
                Map<Found, Supplier<String>> found = new LinkedHashMap<>();
                new PassJudge(resources, host, hosts, found::put).checkUndeclared(at, pass, read);
                if (!found.isEmpty()) {
                    // The words are of the state at the submission, which the next one changes.
                    found.replaceAll((key, words) -> {
                        String text = words.get();
                        return () -> text;
                    });
                    findings.computeIfAbsent(read, first -> new LinkedHashMap<>())
                            .putAll(found);
                }
            }
        }
        pending.put(use.contents(), new Submission(at, pass, declared, findings));
    }

    void taken(TableContents contents, String slot, ResourceUse read, boolean freed) {
        Submission by = pending.get(contents);
        if (by == null) {
            return;
        }
        Resource resource = read.resource();
        String place = slot + " in bindless table '" + contents.table() + "'";
        if (freed) {
            report.add(
                    Found.of(Hazard.Kind.FREED_SLOT, resource, by.pass),
                    () -> "pass '" + by.pass + "' takes " + place + ", the slot of '" + resource.name()
                            + "', which was closed before submission '"
                            + by.at.record().label()
                            + "'; close a slot after the last submission that takes its number");
        } else if (!by.declared.contains(resource)) {
            by.findings
                    .getOrDefault(read, Map.of())
                    .forEach((found, words) -> report.add(
                            found,
                            () -> words.get() + "; it takes " + place + " without declaring '" + resource.name()
                                    + "': declare the use, and the barrier follows"));
        }
    }

    /** Forgets the dispatches that the host has seen end, also by a wait on another queue. */
    void forgetSeen() {
        pending.values()
                .removeIf(dispatch -> host.past()
                        .executed()
                        .covers(dispatch.at.queue(), PipelineStage.COMPUTE_SHADER.bit(), dispatch.at.at()));
    }

    /** Returns the number of dispatches of which the host has not seen the end. */
    int pending() {
        return pending.size();
    }
}
