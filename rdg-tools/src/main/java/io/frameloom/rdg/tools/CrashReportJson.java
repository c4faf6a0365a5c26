package io.frameloom.rdg.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.CrashReport.Address;
import io.frameloom.gpu.error.CrashReport.Fault;
import io.frameloom.gpu.error.CrashReport.ListState;
import io.frameloom.gpu.error.CrashReport.Owner;
import io.frameloom.gpu.error.CrashReport.PassState;
import io.frameloom.gpu.error.CrashReport.Progress;
import io.frameloom.gpu.error.CrashReport.QueueState;
import io.frameloom.gpu.error.CrashReport.SubmissionState;
import io.frameloom.gpu.error.CrashReport.Vendor;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Writes the report of a lost device as JSON: its parts under their names, addresses as hexadecimal text. */
final class CrashReportJson {
    private CrashReportJson() {}

    static void write(CrashReport report, Writer writer) throws IOException {
        JsonFactory factory = JsonFactory.builder().build().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        try (JsonGenerator json = factory.createGenerator(writer)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("device", report.device());
            json.writeStringField("cause", report.cause());
            json.writeStringField("summary", report.summary());
            json.writeStringField("marking", word(report.marking()));
            json.writeArrayFieldStart("queues");
            for (QueueState queue : report.queues()) {
                queue(json, queue);
            }
            json.writeEndArray();
            Fault fault = report.fault();
            if (fault != null) {
                json.writeObjectFieldStart("fault");
                fault(json, fault);
                json.writeEndObject();
            }
            json.writeEndObject();
        }
    }

    private static void queue(JsonGenerator json, QueueState queue) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", queue.name());
        json.writeNumberField("submitted", queue.submitted());
        json.writeNumberField("reached", queue.reached());
        if (queue.lastBegun().isPresent()) {
            json.writeStringField("lastBegun", queue.lastBegun().get());
        }
        if (queue.lastEnded().isPresent()) {
            json.writeStringField("lastEnded", queue.lastEnded().get());
        }
        json.writeArrayFieldStart("underWay");
        for (SubmissionState submission : queue.underWay()) {
            json.writeStartObject();
            json.writeStringField("label", submission.label());
            json.writeNumberField("value", submission.value());
            json.writeArrayFieldStart("lists");
            for (ListState list : submission.lists()) {
                json.writeStartObject();
                state(json, "label", list.label(), list.progress());
                json.writeArrayFieldStart("passes");
                for (PassState pass : list.passes()) {
                    json.writeStartObject();
                    state(json, "name", pass.name(), pass.progress());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void state(JsonGenerator json, String field, String name, Progress progress) throws IOException {
        json.writeStringField(field, name);
        json.writeStringField("progress", word(progress));
    }

    private static void fault(JsonGenerator json, Fault fault) throws IOException {
        json.writeStringField("description", fault.description());
        json.writeArrayFieldStart("addresses");
        for (Address address : fault.addresses()) {
            json.writeStartObject();
            json.writeStringField("kind", address.kind());
            json.writeStringField("address", hex(address.address()));
            json.writeNumberField("precision", address.precision());
            json.writeArrayFieldStart("owners");
            for (Owner owner : address.owners()) {
                json.writeStartObject();
                json.writeStringField("name", owner.name());
                json.writeStringField("base", hex(owner.base()));
                json.writeNumberField("bytes", owner.bytes());
                json.writeBooleanField("freed", owner.freed());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("vendor");
        for (Vendor vendor : fault.vendor()) {
            json.writeStartObject();
            json.writeStringField("description", vendor.description());
            json.writeStringField("code", hex(vendor.code()));
            json.writeStringField("data", hex(vendor.data()));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("binaryBytes", fault.binary().remaining());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }
}
