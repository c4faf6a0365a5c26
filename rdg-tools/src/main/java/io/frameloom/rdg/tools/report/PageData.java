package io.frameloom.rdg.tools.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the script of the page knows: names, uses of resources, and the explanations. */
final class PageData {
    /** Passes beyond which there are no explanations in the page: they would be most of it. */
    static final int MAX_EXPLAINED = 3_000;

    private final PlanIndex index;

    PageData(PlanIndex index) {
        this.index = index;
    }

    /** Returns JSON that can stand inside of a script element: nothing in it ends the element or begins a comment. */
    String json() throws IOException {
        boolean explained = index.plan.passes().size() <= MAX_EXPLAINED;
        List<Set<Integer>> users = new ArrayList<>();
        index.plan.resources().forEach(resource -> users.add(new TreeSet<>()));
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeArrayFieldStart("passes");
            for (PassPlan pass : index.plan.passes()) {
                Set<Integer> resources = new TreeSet<>();
                for (UsePlan use : pass.uses()) {
                    resources.add(use.resource());
                    users.get(use.resource()).add(pass.index());
                }
                one(json, pass.name(), explained, "resources", resources);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("resources");
            for (ResourcePlan resource : index.plan.resources()) {
                one(json, resource.name(), explained, "passes", users.get(resource.index()));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString().replace("<", "\\u003c").replace(">", "\\u003e");
    }

    private void one(JsonGenerator json, String name, boolean explained, String others, Set<Integer> ids)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("name", whole(name));
        json.writeArrayFieldStart(others);
        for (int id : ids) {
            json.writeNumber(id);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("explanation");
        if (explained) {
            for (String line : index.plan.explain(name)) {
                json.writeString(whole(line));
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Half a surrogate pair cannot be written in UTF-8. */
    private static String whole(String text) {
        return text.codePoints()
                .map(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
